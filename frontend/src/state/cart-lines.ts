/** Changes of the lines of the cart. Apart from the cart itself, which is part of the first script. */
import { limits } from "@/api/limits.gen";
import { attemptItem } from "./attempt";
import { type Cart, type CartLine, type CartStore, cartItem, emptyCart } from "./cart";

/**
 * Adds a line. A cart has one store: adding from another store drops the existing lines, so ask first. An emptied cart gets a new id,
 * unless the outcome of its order is unknown: a cart leads to one order at most.
 */
export function addLine(store: CartStore, added: Omit<CartLine, "lineId">): void {
  cartItem.set((now) => {
    const base = now.storeId === store.storeId ? now : startCart(now);
    const isSame = base.items.length > 0 || attemptItem.get() !== null;
    const cartId = (isSame && base.cartId) || crypto.randomUUID();
    return { ...base, ...store, cartId, items: mergeLine(base.items, added) };
  });
}

/** Returns an empty cart for another store, with the promo code if the previous cart was empty: it may have been entered before the first item. */
function startCart({ items, cartId, promo }: Cart): Cart {
  return items.length > 0 ? emptyCart : { ...emptyCart, cartId, promo };
}

/** Replaces a line after it was customized again. Returns false if it was removed in the meantime. */
export function replaceLine(lineId: string, changed: Omit<CartLine, "lineId">): boolean {
  if (!cartItem.get().items.some((l) => l.lineId === lineId)) return false;
  cartItem.set((now) => ({
    ...now,
    items: now.items.map((l) => (l.lineId === lineId ? { ...changed, lineId } : l)),
  }));
  return true;
}

/** Sets the quantity of a line; 0 removes it. */
export function setQuantity(lineId: string, quantity: number): void {
  cartItem.set((now) => ({
    ...now,
    items: now.items.flatMap((l) => (l.lineId !== lineId ? [l] : quantity > 0 ? [{ ...l, quantity }] : [])),
  }));
}

/** Increases the quantity of an equal line, up to the limit per line, or appends the line. */
function mergeLine(items: readonly CartLine[], added: Omit<CartLine, "lineId">): CartLine[] {
  const same = items.find((l) => isSameItem(l, added) && l.quantity + added.quantity <= limits.lineQuantity);
  if (!same) return [...items, { ...added, lineId: crypto.randomUUID() }];
  return items.map((l) => (l === same ? { ...l, quantity: l.quantity + added.quantity } : l));
}

function isSameItem(a: Omit<CartLine, "lineId">, b: Omit<CartLine, "lineId">): boolean {
  const choices = (l: Omit<CartLine, "lineId">) =>
    l.choices
      .map((c) => `${c.modificationId}/${c.choiceId}/${c.quantity}`)
      .sort()
      .join();
  return a.itemId === b.itemId && a.sizeId === b.sizeId && a.note === b.note && choices(a) === choices(b);
}
