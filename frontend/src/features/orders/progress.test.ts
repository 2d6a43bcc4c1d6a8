import { describe, expect, it } from "vitest";
import { makeOrder } from "@/testing/order";
import { formatPayment, formatRefund } from "./format";
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

it("allows cancelling until the store accepts, and announcing arrival after that", () => {
  const permissions = (status: Status) => [
    canCancel(makeOrder(status)),
    canAnnounceArrival(makeOrder(status)),
  ];
  expect(permissions("Placed")).toEqual([true, false]);
  expect(permissions("Accepted")).toEqual([false, true]);
  expect(permissions("Ready")).toEqual([false, true]);
  expect(permissions("Completed")).toEqual([false, false]);
  expect(canAnnounceArrival(makeOrder("Ready", { arrivedAt: "2026-11-20T16:35:00Z" }))).toBe(false);
});

it("shows no step as done while the payment is not confirmed", () => {
  const [first, ...others] = listOrderSteps(makeOrder("PaymentPending"), "");
  expect(first).toMatchObject({ name: "Confirming payment", state: "current" });
  expect(others.map(({ state }) => state)).toEqual(["upcoming", "upcoming", "upcoming"]);
});

describe("payment texts", () => {
  it("shows a hold until the store accepts", () => {
    expect(formatPayment(makeOrder("PaymentPending"))).toBe("Waiting for your bank to confirm $12.40");
    expect(formatPayment(makeOrder("Placed"))).toBe("$12.40 on hold (your card)");
    expect(formatPayment(makeOrder("Accepted"))).toBe("Paid $12.40 with your card");
  });

  it("explains the refund", () => {
    const pass = { paymentMethod: { type: "joebucks" as const, paymentMethodId: "bal_1" } };
    expect(formatRefund(makeOrder("Rejected", pass))).toBe("$12.40 is back on your JoePass.");
    expect(formatRefund(makeOrder("Cancelled", { promoCode: "FRESH10" }))).toBe(
      "You weren't charged. We released the $12.40 hold. You can use code FRESH10 again.",
    );
    const accepted = { history: makeOrder("Accepted").history };
    expect(formatRefund(makeOrder("Rejected", accepted))).toMatch(/^We're refunding \$12\.40 to your card\./);
    const expired = { ...accepted, reason: "PAYMENT_HOLD_EXPIRED", promoCode: "FRESH10" };
    expect(formatRefund(makeOrder("Cancelled", expired))).toBe(
      "You weren't charged. You can use code FRESH10 again.",
    );
    expect(formatRefund(makeOrder("PaymentFailed"))).toBe("You weren't charged.");
  });
});
