import { cartItem, countItems } from "./cart";

/** Puts a promo code into the cart, so that checkout applies it. Returns whether the cart has items. */
export function applyPromo(code: string): boolean {
  cartItem.set((cart) => ({ ...cart, promo: { code, type: "fixed", value: 0 } }));
  return countItems(cartItem.get().items) > 0;
}
