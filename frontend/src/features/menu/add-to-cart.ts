import { confirmCartStore } from "@/shell/replace-cart";
import type { CartLine, CartStore } from "@/state/cart";
import { addLine } from "@/state/cart-lines";

/** Adds a line to the cart, then calls `onAdded`. A cart for another store is replaced only after a confirmation. */
export function addToCart(store: CartStore, line: Omit<CartLine, "lineId">, onAdded: () => void): void {
  confirmCartStore(store.storeId, () => {
    addLine(store, line);
    onAdded();
  });
}
