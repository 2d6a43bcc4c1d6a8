import { expect, it } from "vitest";
import { cart } from "@/testing/cart";
import { cartItem } from "./cart";
import { device } from "./device";
import { clearOrderedCart, removeOrderedLines } from "./ordered-cart";

it("clears the cart of the last order, and no other cart", () => {
  const last = { orderId: "order-1", ts: "2026-11-20T16:26:00Z", storeName: "Sunset & Maltman" };
  cartItem.set(cart);
  for (const cartId of [undefined, "another-cart"]) {
    device.lastOrder.set(cartId === undefined ? last : { ...last, cartId });
    clearOrderedCart();
    expect(cartItem.get().items).toHaveLength(1);
  }
  device.lastOrder.set({ ...last, cartId: cart.cartId });
  clearOrderedCart();
  expect(cartItem.get().items).toHaveLength(0);
});

it("keeps lines and quantities that were added after the order as a new cart", () => {
  const [line] = cart.items;
  const added = { ...(line as (typeof cart.items)[number]), lineId: "line-2" };
  cartItem.set({ ...cart, items: [...cart.items.map((ordered) => ({ ...ordered, quantity: 3 })), added] });
  expect(removeOrderedLines(cart.items)).toBe(false);
  const { cartId, items } = cartItem.get();
  expect(cartId).not.toBe(cart.cartId);
  expect(items.map(({ lineId, quantity }) => [lineId, quantity])).toEqual([
    ["line-1", 2],
    ["line-2", 1],
  ]);
  expect(removeOrderedLines(items)).toBe(true);
  expect(cartItem.get().items).toEqual([]);
});
