import { expect, it } from "vitest";
import { cart } from "@/testing/cart";
import { cartItem } from "./cart";
import { device } from "./device";
import { clearOrderedCart } from "./ordered-cart";

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
