import { confirmCartStore } from "@/shell/replace-cart";
import { addLine, type CartLine, type CartStore } from "@/state/cart";

/** Adds a line to the cart, then calls `onAdded`. A cart for another store is replaced only after a confirmation. */
export function addToCart(store: CartStore, line: Omit<CartLine, "lineId">, onAdded: () => void): void {
  confirmCartStore(store.storeId, () => {
    addLine(store, line);
    onAdded();
  });
}
