import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it } from "vitest";
import { type Order, orderQuery, ordersQuery, type Status } from "@/features/orders/queries";
import { attemptItem } from "@/state/attempt";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { cart } from "@/testing/cart";
import { onTestEnd } from "@/testing/cleanups";
import { makeOrder } from "@/testing/order";
import { mockPost, server } from "@/testing/server";
import { followOrderedCart } from "./ordered-cart";
import { activeOrdersQuery } from "./queries";

const order = (status: Status, more: Partial<Order> = {}) =>
  makeOrder(status, { cartId: cart.cartId, ...more });
const attempt = { name: "draft", key: "key-1", expectedTotal: 1240, expectedReadyAt: "" };

const cache = {
  "one order": (client: QueryClient, seen: Order) =>
    client.setQueryData(orderQuery(seen.orderId).queryKey, seen),
  "the active orders": (client: QueryClient, seen: Order) =>
    client.setQueryData(activeOrdersQuery("consumer-maya").queryKey, { orders: [seen] }),
  "the history": (client: QueryClient, seen: Order) =>
    client.setQueryData(ordersQuery.queryKey, { pages: [[makeOrder("Completed"), seen]], pageParams: [0] }),
};
const lists = Object.keys(cache) as (keyof typeof cache)[];

let saved: unknown[];

beforeEach(() => {
  saved = [];
  server.use(
    mockPost("/user/save-cart", (body) => {
      saved.push(body);
      return { cart: null, savedAt: null };
    }),
  );
  cartItem.set(cart);
  attemptItem.set(attempt);
});

function follow(client = new QueryClient()): QueryClient {
  onTestEnd(followOrderedCart(client));
  return client;
}

it.each(lists)("clears the cart when %s shows that it was ordered", (list) => {
  device.checkout.set({ paymentId: "pay_visa", paymentType: "card" });
  cache[list](follow(), order("Completed"));
  expect(cartItem.get().items).toEqual([]);
  expect(attemptItem.get()).toBeNull();
  expect(device.checkout.get()).toBeNull();
  expect(device.lastOrder.get()).toMatchObject({ orderId: "order-1", cartId: cart.cartId });
});

it("clears a cart whose order was seen before it starts, and the saved cart", async () => {
  const client = new QueryClient();
  cache["the active orders"](client, order("Preparing"));
  follow(client);
  expect(cartItem.get().items).toEqual([]);
  await expect.poll(() => saved).toMatchObject([{ cart: { cartId: cart.cartId, items: [] } }]);
});

it.each(["PaymentPending", "PaymentFailed", "Cancelled", "Rejected"] as const)(
  "keeps the cart of an order that is %s",
  (status) => {
    cache["one order"](follow(), order(status));
    expect(cartItem.get()).toEqual(cart);
    expect(attemptItem.get()).toEqual(attempt);
  },
);

it("keeps the cart if another one was ordered", () => {
  cache["one order"](follow(), order("Placed", { cartId: "cart-2" }));
  expect(cartItem.get()).toEqual(cart);
  expect(device.lastOrder.get()).toBeNull();
});

it("keeps items that were added after the order, as a new cart", () => {
  const [line] = cart.items;
  const added = { ...(line as (typeof cart.items)[number]), lineId: "line-2" };
  cartItem.set({ ...cart, items: [...cart.items, added] });
  cache["one order"](follow(), order("Placed"));
  expect(cartItem.get()).toMatchObject({ storeId: cart.storeId, items: [added] });
  expect(cartItem.get().cartId).not.toBe(cart.cartId);
  expect(saved).toEqual([]);
});

it("keeps the cart that checkout has ordered, because checkout clears it", () => {
  device.lastOrder.set({ orderId: "order-1", ts: "", storeName: cart.storeName, cartId: cart.cartId });
  cache["one order"](follow(), order("Placed"));
  expect(cartItem.get()).toEqual(cart);
});
