import { expect, it, vi } from "vitest";
import { makeOrder } from "@/testing/order";
import {
  getListPollInterval,
  getPollInterval,
  LATE_POLL_INTERVAL_MS,
  POLL_INTERVAL_MS,
} from "./poll-interval";

/** The test order is promised for 16:40. */
const setTime = (time: string) => vi.useFakeTimers({ now: new Date(`2026-11-20T${time}:00Z`) });

it("polls at the promised time while the stream is connected, then until the order changes", () => {
  setTime("16:30");
  expect(getPollInterval(makeOrder("Preparing"), true)).toBe(10 * 60_000);
  setTime("16:41");
  expect(getPollInterval(makeOrder("Preparing"), true)).toBe(LATE_POLL_INTERVAL_MS);
  expect(getPollInterval(makeOrder("Ready"), true)).toBe(LATE_POLL_INTERVAL_MS);
});

it("polls every few seconds without the stream and while a payment is confirmed", () => {
  setTime("16:30");
  expect(getPollInterval(makeOrder("Placed"), false)).toBe(POLL_INTERVAL_MS);
  expect(getPollInterval(makeOrder("PaymentPending"), true)).toBe(POLL_INTERVAL_MS);
});

it.each(["Completed", "Cancelled", "Rejected", "PaymentFailed"] as const)(
  "does not poll a %s order",
  (status) => expect(getPollInterval(makeOrder(status), false)).toBe(false),
);

it("polls a list for the order that is due first", () => {
  setTime("16:30");
  const scheduled = makeOrder("Scheduled", {
    eta: { readyAt: "2026-11-20T20:00:00Z", scheduled: true, timeZone: "America/Los_Angeles" },
  });
  expect(getListPollInterval([scheduled, makeOrder("Placed")], true)).toBe(10 * 60_000);
  expect(getListPollInterval([makeOrder("Completed")], true)).toBe(false);
});
