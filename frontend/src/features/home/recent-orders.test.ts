import { expect, it } from "vitest";
import { greeting } from "./greeting";
import type { Order } from "./queries";
import { recentOrders } from "./recent-orders";

const line = (itemId: string, kind = "drink", quantity = 1) => ({
  itemId,
  kind,
  quantity,
  sizeId: "m",
  choices: [],
});
const order = (orderId: string, lines: object[], rest: object = {}) =>
  ({ orderId, storeId: "sunset", status: "Completed", lines, ...rest }) as unknown as Order;

it("puts each different order on the shelf once, newest first", () => {
  const usuals = recentOrders([
    order("3", [line("latte")]),
    order("2", [line("muffin", "food"), line("mocha", "drink", 2)]),
    order("1", [line("latte")]),
  ]);
  expect(usuals.map((usual) => [usual.order.orderId, usual.line.itemId, usual.more])).toEqual([
    ["3", "latte", 0],
    ["2", "mocha", 2],
  ]);
});

it("keeps what came to nothing off the shelf", () => {
  expect(recentOrders([order("1", [line("latte")], { status: "Rejected" }), order("2", [])])).toEqual([]);
});

it.each([
  [3, "Good evening, Maya"],
  [8, "Good morning, Maya"],
  [12, "Good afternoon, Maya"],
  [18, "Good evening, Maya"],
])("greets at %i", (hour, words) => expect(greeting(new Date(2026, 10, 20, hour), "Maya")).toBe(words));
