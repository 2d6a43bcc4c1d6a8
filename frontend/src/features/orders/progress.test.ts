import { describe, expect, it } from "vitest";
import { makeOrder } from "@/testing/order";
import { formatPayment, formatRefund } from "./format";
import { canAnnounceArrival, canCancel, cupFill, orderSteps } from "./progress";
import type { Status } from "./queries";

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);

it("fills the cup while it is made, and never before its time", () => {
  expect(cupFill(makeOrder("Placed"), at("16:30"))).toBe(0);
  const making = makeOrder("Preparing");
  const levels = ["16:28", "16:34", "16:40", "17:30"].map((time) => cupFill(making, at(time)));
  expect(levels).toEqual([0.25, 0.6, 0.9, 0.9]);
  expect(cupFill(makeOrder("Ready"), at("16:30"))).toBe(1);
});

it.each<[Status, string[]]>([
  ["Placed", ["done", "now", "ahead", "ahead"]],
  ["Scheduled", ["done", "now", "ahead", "ahead"]],
  ["Accepted", ["done", "done", "ahead", "ahead"]],
  ["Preparing", ["done", "done", "now", "ahead"]],
  ["Ready", ["done", "done", "done", "done"]],
  ["Completed", ["done", "done", "done", "done"]],
])("shows the four steps of an order that is %s", (status, states) => {
  expect(orderSteps(makeOrder(status), "").map(({ state }) => state)).toEqual(states);
});

it("lets a person cancel until the bar accepts, and say that they are here from then on", () => {
  const may = (status: Status) => [canCancel(makeOrder(status)), canAnnounceArrival(makeOrder(status))];
  expect(may("Placed")).toEqual([true, false]);
  expect(may("Accepted")).toEqual([false, true]);
  expect(may("Ready")).toEqual([false, true]);
  expect(may("Completed")).toEqual([false, false]);
  expect(canAnnounceArrival(makeOrder("Ready", { arrivedAt: "2026-11-20T16:35:00Z" }))).toBe(false);
});

describe("money in words", () => {
  it("is set aside until the bar accepts", () => {
    expect(formatPayment(makeOrder("Placed"))).toBe("$12.40 on hold (your card)");
    expect(formatPayment(makeOrder("Accepted"))).toBe("Paid $12.40 with your card");
  });

  it("says what came back, and where to", () => {
    const pass = { paymentMethod: { type: "joebucks" as const, paymentMethodId: "bal_1" } };
    expect(formatRefund(makeOrder("Rejected", pass))).toBe("$12.40 is back on your JoePass.");
    expect(formatRefund(makeOrder("Cancelled", { promoCode: "FRESH10" }))).toBe(
      "You weren't charged. We released the $12.40 hold. You can use code FRESH10 again.",
    );
    const accepted = { history: makeOrder("Accepted").history };
    expect(formatRefund(makeOrder("Rejected", accepted))).toMatch(/^We're refunding \$12\.40 to your card\./);
    const lapsed = { ...accepted, reason: "PAYMENT_HOLD_EXPIRED", promoCode: "FRESH10" };
    expect(formatRefund(makeOrder("Cancelled", lapsed))).toBe(
      "You weren't charged. You can use code FRESH10 again.",
    );
    expect(formatRefund(makeOrder("PaymentFailed"))).toBe("You weren't charged.");
  });
});
