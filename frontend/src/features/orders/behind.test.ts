import { expect, it } from "vitest";
import { makeOrder } from "@/testing/order";
import { isBehind } from "./behind";
import type { Order, Status } from "./queries";

const at = (time: string) => `2026-11-20T${time}Z`;

/** An order that takes four minutes and is promised for 8:40 in Los Angeles. */
const order = (
  status: Status,
  { readyAt = at("16:40:00"), ...more }: Partial<Order> & { readyAt?: string } = {},
) =>
  makeOrder(status, {
    startAt: at("16:36:00"),
    firstReadyAt: at("16:40:00"),
    eta: { readyAt, scheduled: false, timeZone: "America/Los_Angeles" },
    ...more,
  });

const isBehindAt = (time: string, subject: Order) => isBehind(subject, new Date(at(time)));

it.each(["Placed", "Accepted"] as const)("is true two minutes after the start if it is %s", (status) => {
  expect(isBehindAt("16:37:59", order(status))).toBe(false);
  expect(isBehindAt("16:38:00", order(status))).toBe(true);
});

it.each(["PaymentPending", "Scheduled", "Preparing", "Ready", "Completed", "Cancelled"] as const)(
  "is false for an order that is %s",
  (status) => expect(isBehindAt("16:39:00", order(status))).toBe(false),
);

it("follows the new time of a delay, which keeps the planned start", () => {
  const delayed = order("Accepted", { readyAt: at("16:50:00") });
  expect(isBehindAt("16:47:59", delayed)).toBe(false);
  expect(isBehindAt("16:48:00", delayed)).toBe(true);
});

it.each([
  ["later", "18:00:00", "17:56:00", "17:58:00"],
  ["earlier", "16:10:00", "16:06:00", "16:08:00"],
])("follows an order that was moved to %s", (_, readyAt, startAt, behindFrom) => {
  const moved = order("Accepted", { readyAt: at(readyAt), startAt: at(startAt) });
  expect(isBehindAt(behindFrom, moved)).toBe(true);
  expect(isBehindAt(startAt, moved)).toBe(false);
});

it("is false without times", () => {
  expect(isBehindAt("16:39:00", order("Placed", { eta: null }))).toBe(false);
  expect(isBehindAt("16:39:00", order("Placed", { startAt: null }))).toBe(false);
});
