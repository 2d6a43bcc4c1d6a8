import { beforeEach, describe, expect, it } from "vitest";
import { ApiError, NetworkError } from "@/api/errors";
import { idempotencyItem } from "@/state/idempotency";
import { cart, quote } from "@/testing/cart";
import { attemptItem, beginAttempt, type Decision, isOpen } from "./attempt";
import { outcomeOf } from "./place-order";

const decision: Decision = {
  cart,
  payment: { type: "card", paymentMethodId: "pay_visa" },
  vehicle: "",
  pickupName: "Maya",
};
const later = { ...quote, total: { ...quote.total, currencyAmount: 1300 } };
const refusal = (status: number, reason = "", data: unknown = null) => new ApiError(status, reason, [], data);

beforeEach(() => {
  attemptItem.clear();
  idempotencyItem.clear();
});

describe("the key of an attempt", () => {
  it("is the same for the same decision, and so is everything else that is sent", () => {
    const first = beginAttempt(decision, quote);
    expect(beginAttempt(decision, later)).toEqual(first);
    expect(first).toMatchObject({ expectedTotal: { currencyAmount: 1240 }, pickupName: "Maya" });
  });

  it.each<[string, Partial<Decision>]>([
    ["the tip", { cart: { ...cart, tipAmount: 300 } }],
    ["the time", { cart: { ...cart, schedule: "2026-11-20T17:00:00Z" } }],
    ["a quantity", { cart: { ...cart, items: cart.items.map((line) => ({ ...line, quantity: 2 })) } }],
    ["the payment", { payment: { type: "joebucks", paymentMethodId: "bal_1" } }],
    ["the car", { vehicle: "Blue Honda" }],
  ])("is another one when %s changes", (_, change) => {
    const first = beginAttempt(decision, quote);
    const second = beginAttempt({ ...decision, ...change }, later);
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    expect(second.expectedTotal.currencyAmount).toBe(1300);
    expect(Object.values(idempotencyItem.get())).toEqual([second.idempotencyKey]);
  });

  it.each([
    ["a lost network", new NetworkError("network error")],
    ["a timeout", new NetworkError("timeout exceeded")],
    ["a fault of ours", refusal(500)],
    ["a service that is away", refusal(503)],
    ["a session that ended", refusal(401)],
    ["too much at once", refusal(429)],
  ])("stays after %s", (_, error) => {
    const first = beginAttempt(decision, quote);
    expect(outcomeOf(error)).toEqual({ kind: "unknown", error });
    expect(isOpen(decision)).toBe(true);
    expect(beginAttempt(decision, later)).toEqual(first);
  });

  it.each([
    ["a declined card", refusal(422, "CARD_DECLINED")],
    ["a debt", refusal(403, "FAILED_ACH_PAYMENTS")],
    ["an order that recovery closed", refusal(409, "ORDER_NOT_PLACED")],
    ["a malformed request", refusal(400)],
  ])("is another one after %s", (_, error) => {
    const first = beginAttempt(decision, quote);
    expect(outcomeOf(error)).toEqual({ kind: "refused", error });
    expect(isOpen(decision)).toBe(false);
    expect(beginAttempt(decision, quote).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it("is another one after the price moved, and the new quote is what is agreed to", () => {
    const first = beginAttempt(decision, quote);
    const outcome = outcomeOf(refusal(409, "PRICE_CHANGED", { quote: later }));
    expect(outcome).toEqual({ kind: "moved", reason: "PRICE_CHANGED", quote: later });
    const second = beginAttempt(decision, later);
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    expect(second.expectedTotal.currencyAmount).toBe(1300);
  });

  it("is not held to be open once the keys were cleared, as by signing out", () => {
    const first = beginAttempt(decision, quote);
    idempotencyItem.clear();
    expect(isOpen(decision)).toBe(false);
    expect(beginAttempt(decision, later)).not.toMatchObject({ idempotencyKey: first.idempotencyKey });
  });
});
