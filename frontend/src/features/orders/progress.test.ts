import { describe, expect, it } from "vitest";
import { cents } from "@/lib/money";
import { makeOrder } from "@/testing/order";
import { formatCancellation, formatPayment, formatRefund } from "./format";
import { calculateCupFill, canAnnounceArrival, canCancel, listOrderSteps } from "./progress";
import type { Status } from "./queries";

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);

it("fills the cup while the order is being made", () => {
  expect(calculateCupFill(makeOrder("Placed"), at("16:30"))).toBe(0);
  const preparing = makeOrder("Preparing");
  const levels = ["16:28", "16:34", "16:40", "17:30"].map((time) => calculateCupFill(preparing, at(time)));
  expect(levels).toEqual([0.25, 0.6, 0.9, 0.9]);
  expect(calculateCupFill(makeOrder("Ready"), at("16:30"))).toBe(1);
});

it.each<[Status, string[]]>([
  ["Placed", ["done", "current", "upcoming", "upcoming"]],
  ["Scheduled", ["done", "current", "upcoming", "upcoming"]],
  ["Accepted", ["done", "done", "upcoming", "upcoming"]],
  ["Preparing", ["done", "done", "current", "upcoming"]],
  ["Ready", ["done", "done", "done", "done"]],
  ["Completed", ["done", "done", "done", "done"]],
])("shows the four steps of a %s order", (status, states) => {
  expect(listOrderSteps(makeOrder(status), "").map(({ state }) => state)).toEqual(states);
});

it("shows no time for a step that the store did not mark", () => {
  const order = makeOrder("Completed");
  const unmarked = { ...order, history: order.history.filter(({ status }) => status !== "Ready") };
  expect(listOrderSteps(unmarked, "").map(({ at }) => at)).toEqual([
    "2026-11-20T16:26:00.000Z",
    "2026-11-20T16:27:00.000Z",
    "2026-11-20T16:28:00.000Z",
    undefined,
  ]);
});

it("allows canceling until the store accepts, and announcing arrival after that", () => {
  const permissions = (status: Status) => [
    canCancel(makeOrder(status)),
    canAnnounceArrival(makeOrder(status)),
  ];
  expect(permissions("Placed")).toEqual([true, false]);
  expect(permissions("Accepted")).toEqual([false, true]);
  expect(permissions("Ready")).toEqual([false, true]);
  expect(permissions("Completed")).toEqual([false, false]);
  expect(canCancel(makeOrder("PaymentPending", { clientSecret: "pi_1_secret_1" }))).toBe(true);
  // The server still charges the payment.
  expect(canCancel(makeOrder("PaymentPending"))).toBe(false);
  expect(canAnnounceArrival(makeOrder("Ready", { arrivedAt: "2026-11-20T16:35:00Z" }))).toBe(false);
});

it("shows no step as done while the payment is not confirmed", () => {
  const [first, ...others] = listOrderSteps(makeOrder("PaymentPending"), "");
  expect(first).toMatchObject({ name: "Confirming payment", state: "current" });
  expect(others.map(({ state }) => state)).toEqual(["upcoming", "upcoming", "upcoming"]);
});

describe("payment texts", () => {
  const bank = { type: "bank" as const, paymentMethodId: "pay_bank" };

  it("shows a hold until the money is taken", () => {
    expect(formatPayment(makeOrder("PaymentPending"))).toBe("Waiting for your bank to confirm $12.40");
    expect(formatPayment(makeOrder("Placed"))).toBe("$12.40 on hold (your card)");
    expect(formatPayment(makeOrder("Accepted"))).toBe("Paid $12.40 with your card");
    expect(formatPayment(makeOrder("Placed", { isCharged: true, paymentMethod: bank }))).toBe(
      "Paid $12.40 with your bank account",
    );
    expect(formatPayment(makeOrder("Accepted", { total: cents(0) }))).toBe("Nothing to pay");
    const unpaid = { reason: "PAYMENT_CAPTURE_FAILED", isCharged: false };
    expect(formatPayment(makeOrder("Ready", unpaid))).toBe("$12.40 not paid");
  });

  const split = {
    payments: [
      { type: "joebucks" as const, name: "Gift card", amount: cents(400) },
      { type: "card" as const, name: null, amount: cents(840) },
    ],
  };

  it("names the balance and each part", () => {
    expect(formatPayment(makeOrder("Placed", split))).toBe(
      "$4.00 (your gift card) and $8.40 (your card) on hold",
    );
    expect(formatPayment(makeOrder("Accepted", split))).toBe(
      "Paid $4.00 with your gift card and $8.40 with your card",
    );
    const company = [{ type: "joebucks" as const, name: "Juniper Lane card", amount: cents(1240) }];
    expect(formatPayment(makeOrder("Accepted", { payments: company }))).toBe(
      "Paid $12.40 with your Juniper Lane card",
    );
    const unpaid = { reason: "PAYMENT_CAPTURE_FAILED", isCharged: false };
    expect(formatPayment(makeOrder("Ready", { ...split, ...unpaid }))).toBe(
      "$8.40 not paid, paid $4.00 with your gift card",
    );
    expect(formatRefund(makeOrder("Rejected", { payments: company }))).toBe(
      "$12.40 is back on your Juniper Lane card.",
    );
    expect(formatRefund(makeOrder("Rejected", { ...split, isCharged: true }))).toBe(
      "$4.00 is back on your gift card. We're refunding $8.40 to your card. It can take a few days to show up.",
    );
    expect(formatRefund(makeOrder("Cancelled", split))).toBe(
      "$4.00 is back on your gift card. Your card wasn't charged. We released the $8.40 hold.",
    );
    const lost = {
      reason: "PAYMENT_CAPTURE_FAILED",
      message: "Your payment didn't go through, so we canceled this order.",
    };
    expect(formatRefund(makeOrder("Cancelled", { ...split, ...lost }))).toBe(
      "$4.00 is back on your gift card. Your card wasn't charged.",
    );
  });

  it("explains before cancellation what happens to the payment", () => {
    expect(formatCancellation(makeOrder("Placed", { promoCode: "FRESH10" }))).toBe(
      "It's free until the store accepts. You won't be charged, and your promo code won't count as used.",
    );
    expect(formatCancellation(makeOrder("Placed", { isCharged: true, paymentMethod: bank }))).toBe(
      "It's free until the store accepts. We'll refund $12.40 to your bank account.",
    );
    expect(formatCancellation(makeOrder("PaymentPending"))).toBe(
      "Your order isn't placed yet. You won't be charged.",
    );
  });

  it("explains the refund", () => {
    const pass = { paymentMethod: { type: "joebucks" as const, paymentMethodId: "bal_1" } };
    expect(formatRefund(makeOrder("Rejected", pass))).toBe("$12.40 is back on your JoePass.");
    expect(formatRefund(makeOrder("Cancelled", { promoCode: "FRESH10" }))).toBe(
      "You weren't charged. We released the $12.40 hold. Code FRESH10 wasn't used.",
    );
    expect(formatRefund(makeOrder("Rejected", { isCharged: true }))).toMatch(
      /^We're refunding \$12\.40 to your card\./,
    );
    for (const reason of ["PAYMENT_HOLD_EXPIRED", "PAYMENT_CAPTURE_FAILED"]) {
      expect(formatRefund(makeOrder("Cancelled", { reason, promoCode: "FRESH10" }))).toBe(
        "You weren't charged. Code FRESH10 wasn't used.",
      );
    }
    expect(formatRefund(makeOrder("PaymentFailed"))).toBe("You weren't charged.");
  });
});
