import type { PostBody } from "@/api/contract";
import { anything, listOf, object, oneOf, recordOf, type Shaped, text, usually, whole } from "@/lib/shape";
import { deviceItem } from "./device-item";

type ContractCart = PostBody<"/order/pricing">["cart"];

const choice = object({
  modificationId: text,
  choiceId: text,
  /** 0 leaves out what the item comes with. */
  quantity: whole(0),
  /** For showing the cart before the server has priced it, and what it does in the drawing: "milk:oat". */
  name: text,
  artKey: text,
});

const line = object({
  /** Chosen here, unique in the cart. */
  lineId: text,
  itemId: text,
  sizeId: text,
  quantity: whole(1, 20),
  choices: listOf(choice),
  note: text,
  name: text,
  sizeName: text,
  /** What one cost when it was added, in cents, for showing only: pricing is the server's. */
  unitPrice: whole(),
  /** What the item says about its drawing, so that the cart shows the same picture. */
  sizeIndex: whole(),
  art: recordOf(anything),
});

const cart = object({
  /** Made with the first line: at most one order comes of one cart. */
  cartId: text,
  items: listOf(line),
  pickup: oneOf("counter", "curbside"),
  promo: object({ code: text, type: usually(text, "fixed"), value: whole() }),
  /** The ready time wanted, RFC 3339 UTC; empty for as soon as possible. */
  schedule: text,
  storeId: text,
  storeName: text,
  storeAddress: text,
  storePhoto: text,
  /** The store's zone, in which every time of this cart is shown. */
  timeZone: text,
  /** Millionths: 95000 is 9.5 percent. */
  taxRate: whole(),
  /** Cents. */
  tipAmount: whole(),
});

/** Specification section 3, "Cart state". */
export type Cart = Shaped<typeof cart>;
export type CartLine = Shaped<typeof line>;

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

/** What is being ordered. Restored at start, written on change; the server keeps a copy of its own. */
export const cartItem = deviceItem({ key: "cart", version: 1, shape: cart, initial: empty });

/** The store a cart is for. */
export type CartStore = Pick<
  Cart,
  "storeId" | "storeName" | "storeAddress" | "storePhoto" | "timeZone" | "taxRate"
>;

/** Adds a line. A cart is for one store: another store's lines are given up, so ask the person first. */
export function addLine(store: CartStore, added: Omit<CartLine, "lineId">): void {
  cartItem.set((now) => {
    const base = now.storeId === store.storeId || now.items.length === 0 ? now : empty;
    const cartId = base.cartId || crypto.randomUUID();
    return { ...base, ...store, cartId, items: merged(base.items, added) };
  });
}

/** Puts a line in another's place, as when it was customised again; one that is gone by now is added. */
export function replaceLine(store: CartStore, lineId: string, changed: Omit<CartLine, "lineId">): void {
  const there = cartItem.get().items.some((l) => l.lineId === lineId);
  if (!there) {
    addLine(store, changed);
    return;
  }
  cartItem.set((now) => ({
    ...now,
    items: now.items.map((l) => (l.lineId === lineId ? { ...changed, lineId } : l)),
  }));
}

/** Changes how many of a line are wanted; 0 takes it out. */
export function setQuantity(lineId: string, quantity: number): void {
  cartItem.set((now) => ({
    ...now,
    items: now.items.flatMap((l) => (l.lineId !== lineId ? [l] : quantity > 0 ? [{ ...l, quantity }] : [])),
  }));
}

/** The cart as the contract has it: for pricing, placing and keeping it on the server. */
export function contractCart(cart: Cart): ContractCart {
  return {
    cartId: cart.cartId,
    storeId: cart.storeId,
    lines: cart.items.map(({ lineId, itemId, sizeId, quantity, choices, note }) => ({
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
    pickupAt: cart.schedule || null,
    promoCode: cart.promo.code || null,
    tipAmount: cart.tipAmount,
  };
}

/** How many things are in the cart. */
export function countOf(items: readonly CartLine[]): number {
  return items.reduce((count, { quantity }) => count + quantity, 0);
}

/** What is in the cart as it was priced when it was added, in cents: for showing while the server has not said. */
export function sumOf(items: readonly CartLine[]): number {
  return items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
}

/** The same drink twice is one line of two, as long as one line may hold them. */
function merged(items: readonly CartLine[], added: Omit<CartLine, "lineId">): CartLine[] {
  const same = items.find((l) => sameThing(l, added) && l.quantity + added.quantity <= 20);
  if (!same) return [...items, { ...added, lineId: crypto.randomUUID() }];
  return items.map((l) => (l === same ? { ...l, quantity: l.quantity + added.quantity } : l));
}

function sameThing(a: Omit<CartLine, "lineId">, b: Omit<CartLine, "lineId">): boolean {
  const choices = (l: Omit<CartLine, "lineId">) =>
    l.choices
      .map((c) => `${c.modificationId}/${c.choiceId}/${c.quantity}`)
      .sort()
      .join();
  return a.itemId === b.itemId && a.sizeId === b.sizeId && a.note === b.note && choices(a) === choices(b);
}
