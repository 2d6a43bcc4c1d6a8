/** The cart of this device once it is ordered. Apart from the last order, which is part of the first script. */
import { type Cart, type CartLine, cartItem, emptyCart } from "./cart";
import { device } from "./device";
import { getReminderStart, type PromisedOrder } from "./last-order";
import { selectedCard } from "./selected-card";

interface PlacedOrder extends PromisedOrder {
  storeName: string;
}

/** Stores the order of a cart as the last one, and clears what was chosen at checkout. */
export function storeLastOrder(order: PlacedOrder, cartId: string): void {
  const { orderId, storeName } = order;
  device.lastOrder.set({ orderId, ts: getReminderStart(order), storeName, cartId });
  device.checkout.clear();
  selectedCard.set(null);
}

/** Clears the cart of the last order. It is still there if the page was closed after the order and before its screen opened. */
export function clearOrderedCart(): void {
  const { cartId, items } = cartItem.get();
  if (items.length > 0 && device.lastOrder.get()?.cartId === cartId) cartItem.clear();
}

/** Returns the cart as a new one, which can be ordered again. */
export const renewCart = (cart: Cart): Cart => ({ ...cart, cartId: crypto.randomUUID() });

type OrderedLines = readonly { lineId: string; quantity: number }[];

/** Returns the lines and quantities of the cart that were not ordered: the consumer has added them since. */
export function findOtherLines(lines: OrderedLines): CartLine[] {
  const ordered = new Map(lines.map(({ lineId, quantity }) => [lineId, quantity]));
  return cartItem.get().items.flatMap((line) => {
    const quantity = line.quantity - (ordered.get(line.lineId) ?? 0);
    return quantity > 0 ? [{ ...line, quantity }] : [];
  });
}

/** Removes what was ordered. Other lines and quantities become a new cart. Returns whether the cart is empty. */
export function removeOrderedLines(lines: OrderedLines): boolean {
  const cart = cartItem.get();
  const items = findOtherLines(lines);
  if (items.length === 0) cartItem.clear();
  else cartItem.set(renewCart({ ...cart, items, promo: emptyCart.promo, schedule: "" }));
  return items.length === 0;
}
