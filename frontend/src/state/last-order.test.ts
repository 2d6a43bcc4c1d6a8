import { expect, it } from "vitest";
import { device } from "./device";
import { getReminderStart, updateReminder } from "./last-order";

const order = {
  orderId: "order-1",
  eta: { readyAt: "2026-11-20T16:40:00Z", scheduled: false },
  firstReadyAt: "2026-11-20T16:40:00Z",
  placedAt: "2026-11-20T16:26:00Z",
  createdAt: "2026-11-20T16:25:00Z",
};

it("counts from the order, or from a promised time that was scheduled or changed", () => {
  expect(getReminderStart(order)).toBe(order.placedAt);
  expect(getReminderStart({ ...order, placedAt: null })).toBe(order.createdAt);
  expect(getReminderStart({ ...order, eta: { ...order.eta, scheduled: true } })).toBe(order.eta.readyAt);
  expect(getReminderStart({ ...order, firstReadyAt: "2026-11-20T16:30:00Z" })).toBe(order.eta.readyAt);
});

it("follows the promised time of the last order only", () => {
  device.lastOrder.set({ orderId: "order-1", ts: order.placedAt, storeName: "Sunset & Maltman" });
  updateReminder(order);
  expect(device.lastOrder.get()?.ts).toBe(order.placedAt);
  const moved = { ...order, eta: { readyAt: "2026-11-21T18:00:00Z", scheduled: true } };
  updateReminder({ ...moved, orderId: "order-2" });
  expect(device.lastOrder.get()?.ts).toBe(order.placedAt);
  updateReminder(moved);
  expect(device.lastOrder.get()).toMatchObject({ ts: "2026-11-21T18:00:00Z", storeName: "Sunset & Maltman" });
});
