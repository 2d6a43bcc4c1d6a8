import { beforeEach, describe, expect, it } from "vitest";
import { ApiError, NetworkError } from "@/api/errors";
import { attemptItem } from "@/state/attempt";
import { idempotencyItem } from "@/state/idempotency";
import { cart, quote } from "@/testing/cart";
import { beginAttempt, isOutcomeUnknown, type OrderDraft } from "./attempt";
import { toOutcome } from "./place-order";

const draft: OrderDraft = {
  cart,
  payment: { type: "card", paymentMethodId: "pay_visa" },
  vehicle: "",
  pickupName: "Maya",
};
const newQuote = { ...quote, total: { ...quote.total, currencyAmount: 1300 } };
const apiError = (status: number, reason = "", data: unknown = null) =>
  new ApiError(status, reason, [], data);

beforeEach(() => {
  attemptItem.clear();
  idempotencyItem.clear();
});

describe("the idempotency key of an attempt", () => {
  it("stays the same for the same draft, with the same request body", () => {
    const first = beginAttempt(draft, quote);
    expect(beginAttempt(draft, newQuote)).toEqual(first);
    expect(first).toMatchObject({ expectedTotal: { currencyAmount: 1240 }, pickupName: "Maya" });
  });

  it.each<[string, Partial<OrderDraft>]>([
    ["the tip", { cart: { ...cart, tipAmount: 300 } }],
    ["the time", { cart: { ...cart, schedule: "2026-11-20T17:00:00Z" } }],
    ["a quantity", { cart: { ...cart, items: cart.items.map((line) => ({ ...line, quantity: 2 })) } }],
    ["the payment", { payment: { type: "joebucks", paymentMethodId: "bal_1" } }],
    ["the car", { vehicle: "Blue Honda" }],
  ])("changes when %s changes", (_, change) => {
    const first = beginAttempt(draft, quote);
    const second = beginAttempt({ ...draft, ...change }, newQuote);
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    expect(second.expectedTotal.currencyAmount).toBe(1300);
    expect(Object.values(idempotencyItem.get())).toEqual([second.idempotencyKey]);
  });

  it.each([
    ["a network error", new NetworkError("network error")],
    ["a timeout", new NetworkError("timeout exceeded")],
    ["an internal error", apiError(500)],
    ["an unavailable service", apiError(503)],
    ["an expired session", apiError(401)],
    ["rate limiting", apiError(429)],
  ])("stays the same after %s", (_, error) => {
    const first = beginAttempt(draft, quote);
    expect(toOutcome(error)).toEqual({ kind: "unknown", error });
    expect(isOutcomeUnknown(draft)).toBe(true);
    expect(beginAttempt(draft, newQuote)).toEqual(first);
  });

  it.each([
    ["a declined card", apiError(422, "CARD_DECLINED")],
    ["failed payments", apiError(403, "FAILED_ACH_PAYMENTS")],
    ["an order that failed in recovery", apiError(409, "ORDER_NOT_PLACED")],
    ["a malformed request", apiError(400)],
  ])("changes after %s", (_, error) => {
    const first = beginAttempt(draft, quote);
    expect(toOutcome(error)).toEqual({ kind: "rejected", error });
    expect(isOutcomeUnknown(draft)).toBe(false);
    expect(beginAttempt(draft, quote).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it("changes after a price change, and the request uses the new quote", () => {
    const first = beginAttempt(draft, quote);
    const outcome = toOutcome(apiError(409, "PRICE_CHANGED", { quote: newQuote }));
    expect(outcome).toEqual({ kind: "quote_changed", reason: "PRICE_CHANGED", quote: newQuote });
    const second = beginAttempt(draft, newQuote);
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    expect(second.expectedTotal.currencyAmount).toBe(1300);
  });

  it("is forgotten when the keys are cleared, for example by signing out", () => {
    const first = beginAttempt(draft, quote);
    idempotencyItem.clear();
    expect(isOutcomeUnknown(draft)).toBe(false);
    expect(beginAttempt(draft, newQuote)).not.toMatchObject({ idempotencyKey: first.idempotencyKey });
  });
});
