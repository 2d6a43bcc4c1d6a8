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
import { limits } from "@/api/limits.gen";
import { deviceItem } from "./device-item";

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

export const emptyCart: Cart = {
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
export const cartItem = deviceItem({ key: "cart", version: 1, schema: cart, initial: emptyCart });

export type CartStore = Pick<
  Cart,
  "storeId" | "storeName" | "storeAddress" | "storePhoto" | "timeZone" | "taxRate"
>;

/** Counts items, including quantities. */
export function countItems(items: readonly { quantity: number }[]): number {
  return items.reduce((count, { quantity }) => count + quantity, 0);
}

/** Sums the prices at which the items were added, in cents. Shown until the server has priced the cart. */
export function sumPrices(items: readonly CartLine[]): number {
  return items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
}
