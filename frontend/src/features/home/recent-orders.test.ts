import { expect, it } from "vitest";
import { formatGreeting } from "./greeting";
import type { Order } from "./queries";
import { selectRecentOrders } from "./recent-orders";

const line = (itemId: string, kind = "drink", quantity = 1) => ({
  itemId,
  kind,
  quantity,
  sizeId: "m",
  choices: [],
});
const order = (orderId: string, lines: object[], overrides: object = {}) =>
  ({ orderId, storeId: "sunset", status: "Completed", lines, ...overrides }) as unknown as Order;

it("returns each distinct order once, newest first", () => {
  const recent = selectRecentOrders([
    order("3", [line("latte")]),
    order("2", [line("muffin", "food"), line("mocha", "drink", 2)]),
    order("1", [line("latte")]),
  ]);
  expect(recent.map((entry) => [entry.order.orderId, entry.line.itemId, entry.otherCount])).toEqual([
    ["3", "latte", 0],
    ["2", "mocha", 2],
  ]);
});

it("skips orders that were not completed", () => {
  expect(selectRecentOrders([order("1", [line("latte")], { status: "Rejected" }), order("2", [])])).toEqual(
    [],
  );
});

it.each([
  [3, "Good evening, Maya"],
  [8, "Good morning, Maya"],
  [12, "Good afternoon, Maya"],
  [18, "Good evening, Maya"],
])("greets at %i o'clock", (hour, text) =>
  expect(formatGreeting(new Date(2026, 10, 20, hour), "Maya")).toBe(text),
);
