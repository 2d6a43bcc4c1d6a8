import { modals } from "@/shell/modals";
import { addLine, type CartLine, type CartStore, cartItem } from "@/state/cart";

/** Puts a line in the cart and then calls `onAdded`. A cart is for one store: another store's is only given up after asking. */
export function addToCart(store: CartStore, line: Omit<CartLine, "lineId">, onAdded: () => void): void {
  const add = () => {
    addLine(store, line);
    onAdded();
  };
  const { items, storeId, storeName } = cartItem.get();
  if (items.length === 0 || storeId === store.storeId) {
    add();
    return;
  }
  void modals.load("other-store", () => import("./OtherStoreSheet"), {
    from: storeName,
    to: store.storeName,
    count: items.length,
    onConfirm: add,
  });
}
