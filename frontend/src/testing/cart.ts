import type { CartOptions, Quote } from "@/features/checkout/queries";
import { cents } from "@/lib/money";
import type { Cart } from "@/state/cart";

/** A cart with an iced oat latte. */
export const cart: Cart = {
  cartId: "0199a000-0000-7000-8000-000000000001",
  items: [
    {
      lineId: "line-1",
      itemId: "item-latte",
      sizeId: "size-medium",
      quantity: 1,
      choices: [
        { modificationId: "milk", choiceId: "oat", quantity: 1, name: "Oat milk", artKey: "milk:oat" },
        {
          modificationId: "syrup",
          choiceId: "vanilla",
          quantity: 2,
          name: "Vanilla",
          artKey: "syrup:vanilla",
        },
      ],
      note: "",
      name: "Iced latte",
      sizeName: "Medium",
      unitPrice: 950,
      sizeIndex: 0,
      art: { kind: "drink", base: "latte", iced: true, sizeFrom: 1 },
    },
  ],
  pickup: "counter",
  promo: { code: "", type: "fixed", value: 0 },
  schedule: "",
  storeId: "store-sunset",
  storeName: "Sunset & Maltman",
  storeAddress: "3521 Sunset Blvd, Los Angeles",
  storePhoto: "",
  timeZone: "America/Los_Angeles",
  taxRate: 95_000,
  tipAmount: 200,
};

/** The quote for the cart: $12.40, ready at 8:40. */
export const quote: Quote = {
  lines: [
    {
      lineId: "line-1",
      itemId: "item-latte",
      itemName: "Iced latte",
      kind: "drink",
      sizeId: "size-medium",
      sizeName: "Medium",
      quantity: 1,
      choices: [],
      note: "",
      art: { kind: "drink", base: "latte", iced: true, sizeFrom: 1 },
      unitPrice: cents(950),
      amount: cents(950),
      discount: cents(0),
    },
  ],
  problems: [],
  subtotal: cents(950),
  discount: cents(0),
  tax: cents(90),
  taxRatePpm: 95_000,
  tip: cents(200),
  total: cents(1240),
  points: 90,
  makeSeconds: 90,
  eta: { readyAt: "2026-11-20T16:40:00Z", scheduled: false, timeZone: "America/Los_Angeles" },
  promoReason: null,
  promoMessage: null,
  store: null,
};

/** The options of the cart: at the counter, as soon as possible. */
export const cartOptions: CartOptions = {
  storeId: cart.storeId,
  taxRatePpm: cart.taxRate,
  pickup: {
    counter: true,
    curbside: false,
    earliestAt: "2026-11-20T16:40:00Z",
    earliestLocalTime: "08:40",
    slots: [],
    timeZone: cart.timeZone,
  },
  tip: { percents: [0, 10, 15, 20], maxAmount: 10_000 },
  paymentTypes: ["card", "bank", "joebucks"],
  limits: { lines: 50, lineQuantity: 20, minCardAmount: 50, noteLength: 200, promoCodeLength: 40 },
};
