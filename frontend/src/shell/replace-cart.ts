import { cartItem, countItems } from "@/state/cart";
import { modals } from "./modals";

/** Calls `onConfirm`; if the cart holds items from another store, only after the consumer agrees to replace it. */
export function confirmCartStore(storeId: string, onConfirm: () => void): void {
  const cart = cartItem.get();
  if (cart.items.length === 0 || cart.storeId === storeId) {
    onConfirm();
    return;
  }
  void modals.load("replace-cart", () => import("./ReplaceCartSheet"), {
    storeName: cart.storeName,
    count: countItems(cart.items),
    onConfirm,
  });
}
