import {
  array,
  type InferOutput,
  integer,
  maxValue,
  minValue,
  number,
  object,
  optional,
  picklist,
  pipe,
  record,
  string,
  unknown,
} from "valibot";
import type { PostBody } from "@/api/contract";
import { limits } from "@/api/limits.gen";
import { deviceItem } from "./device-item";

type ContractCart = PostBody<"/order/pricing">["cart"];

const wholeNumber = pipe(number(), integer());

const choice = object({
  modificationId: string(),
  choiceId: string(),
  /** 0 removes a default of the item. */
  quantity: pipe(wholeNumber, minValue(0)),
  /** Shown until the server has priced the cart. `artKey` is its effect in the drawing: "milk:oat". */
  name: string(),
  artKey: string(),
});

const line = object({
  /** Created on the device, unique in the cart. */
  lineId: string(),
  itemId: string(),
  sizeId: string(),
  quantity: pipe(wholeNumber, minValue(1), maxValue(limits.lineQuantity)),
  choices: array(choice),
  note: string(),
  name: string(),
  sizeName: string(),
  /** Price of one when it was added, in cents. For display only: the server prices the cart. */
  unitPrice: wholeNumber,
  /** Drawing parameters of the item. */
  sizeIndex: wholeNumber,
  art: record(string(), unknown()),
});

const cart = object({
  /** Created with the first line. A cart leads to one order at most. */
  cartId: string(),
  items: array(line),
  pickup: picklist(["counter", "curbside"]),
  promo: object({ code: string(), type: optional(string(), "fixed"), value: wholeNumber }),
  /** Requested ready time, RFC 3339 UTC; empty for as soon as possible. */
  schedule: string(),
  storeId: string(),
  storeName: string(),
  storeAddress: string(),
  storePhoto: string(),
  /** Time zone of the store, used for all times of this cart. */
  timeZone: string(),
  /** Parts per million: 95000 is 9.5 percent. */
  taxRate: wholeNumber,
  /** Cents. */
  tipAmount: wholeNumber,
});

/** Specification section 3, "Cart state". */
export type Cart = InferOutput<typeof cart>;
export type CartLine = InferOutput<typeof line>;

const empty: Cart = {
  cartId: "",
  items: [],
  pickup: "counter",
  promo: { code: "", type: "fixed", value: 0 },
  schedule: "",
  storeId: "",
  storeName: "",
  storeAddress: "",
  storePhoto: "",
  timeZone: "",
  taxRate: 0,
  tipAmount: 0,
};

/** The cart of this device. The server stores a copy. */
export const cartItem = deviceItem({ key: "cart", version: 1, schema: cart, initial: empty });

export type CartStore = Pick<
  Cart,
  "storeId" | "storeName" | "storeAddress" | "storePhoto" | "timeZone" | "taxRate"
>;

/** Adds a line. A cart has one store: adding from another store drops the existing lines, so ask first. */
export function addLine(store: CartStore, added: Omit<CartLine, "lineId">): void {
  cartItem.set((now) => {
    const base = now.storeId === store.storeId || now.items.length === 0 ? now : empty;
    const cartId = base.cartId || crypto.randomUUID();
    return { ...base, ...store, cartId, items: mergeLine(base.items, added) };
  });
}

/** Replaces a line after it was customized again, or adds it if it was removed in the meantime. */
export function replaceLine(store: CartStore, lineId: string, changed: Omit<CartLine, "lineId">): void {
  const exists = cartItem.get().items.some((l) => l.lineId === lineId);
  if (!exists) {
    addLine(store, changed);
    return;
  }
  cartItem.set((now) => ({
    ...now,
    items: now.items.map((l) => (l.lineId === lineId ? { ...changed, lineId } : l)),
  }));
}

/** Sets the quantity of a line; 0 removes it. */
export function setQuantity(lineId: string, quantity: number): void {
  cartItem.set((now) => ({
    ...now,
    items: now.items.flatMap((l) => (l.lineId !== lineId ? [l] : quantity > 0 ? [{ ...l, quantity }] : [])),
  }));
}

/** Converts the cart to the request format, without the fields for display, which the server writes. */
export function toContractCart(cart: Cart): ContractCart {
  return {
    cartId: cart.cartId,
    storeId: cart.storeId,
    items: cart.items.map(({ lineId, itemId, sizeId, quantity, choices, note }) => ({
      lineId,
      itemId,
      sizeId,
      quantity,
      choices: choices.map(({ modificationId, choiceId, quantity }) => ({
        modificationId,
        choiceId,
        quantity,
      })),
      note,
    })),
    pickup: cart.pickup,
    promo: { code: cart.promo.code },
    schedule: cart.schedule || null,
    tipAmount: cart.tipAmount,
  };
}

/** Counts items, including quantities. */
export function countItems(items: readonly CartLine[]): number {
  return items.reduce((count, { quantity }) => count + quantity, 0);
}

/** Sums the prices at which the items were added, in cents. Shown until the server has priced the cart. */
export function sumPrices(items: readonly CartLine[]): number {
  return items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
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
