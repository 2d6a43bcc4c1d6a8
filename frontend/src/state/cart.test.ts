import { beforeEach, expect, it } from "vitest";
import { attemptItem } from "./attempt";
import { type CartStore, cartItem, countItems } from "./cart";
import { addLine, replaceLine, setQuantity } from "./cart-lines";
import { toContractCart } from "./contract-cart";

const sunset: CartStore = {
  storeId: "sunset",
  storeName: "Sunset & Maltman",
  storeAddress: "",
  storePhoto: "",
  timeZone: "America/Los_Angeles",
  taxRate: 95_000,
};
const latte = {
  itemId: "latte",
  sizeId: "medium",
  sizeIndex: 1,
  quantity: 1,
  choices: [{ modificationId: "milk", choiceId: "oat", quantity: 1, name: "Oat milk", artKey: "milk:oat" }],
  note: "",
  name: "Latte",
  sizeName: "Medium",
  unitPrice: 575,
  art: { kind: "drink", base: "latte" },
};

beforeEach(() => attemptItem.clear());

it("merges equal items into one line and keeps different ones apart", () => {
  addLine(sunset, latte);
  addLine(sunset, latte);
  addLine(sunset, { ...latte, choices: [] });
  const { items } = cartItem.get();
  expect(items.map(({ quantity }) => quantity)).toEqual([2, 1]);
  expect(countItems(items)).toBe(3);
});

it("does not merge lines beyond the maximum quantity", () => {
  addLine(sunset, { ...latte, quantity: 20 });
  addLine(sunset, latte);
  expect(cartItem.get().items.map(({ quantity }) => quantity)).toEqual([20, 1]);
});

it("replaces the lines when an item of another store is added", () => {
  addLine(sunset, latte);
  addLine({ ...sunset, storeId: "echo" }, latte);
  expect(cartItem.get()).toMatchObject({ storeId: "echo", items: [{ quantity: 1 }] });
});

it("keeps the promo code of an emptied cart, but not its tip and pickup, when an item of another store is added", () => {
  addLine(sunset, latte);
  const promo = { code: "WELCOME", type: "fixed", value: 300 };
  cartItem.set((now) => ({
    ...now,
    items: [],
    promo,
    pickup: "curbside",
    schedule: "2026-11-20T17:15:00Z",
    tipAmount: 150,
  }));
  addLine({ ...sunset, storeId: "echo" }, latte);
  expect(cartItem.get()).toMatchObject({ promo, pickup: "counter", schedule: "", tipAmount: 0 });
});

it("replaces a line, and does not change the cart if the line was removed", () => {
  addLine(sunset, latte);
  const lineId = cartItem.get().items[0]?.lineId ?? "";
  expect(replaceLine(lineId, { ...latte, quantity: 2 })).toBe(true);
  expect(cartItem.get().items).toEqual([{ ...latte, quantity: 2, lineId }]);
  addLine({ ...sunset, storeId: "echo" }, latte);
  const started = cartItem.get();
  expect(replaceLine(lineId, latte)).toBe(false);
  expect(cartItem.get()).toEqual(started);
});

it("removes a line at quantity 0", () => {
  addLine(sunset, latte);
  const [line] = cartItem.get().items;
  setQuantity(line?.lineId ?? "", 0);
  expect(cartItem.get().items).toEqual([]);
});

it("keeps its id until it is cleared, and sends only fields of the contract", () => {
  addLine(sunset, latte);
  const { cartId } = cartItem.get();
  addLine(sunset, { ...latte, choices: [] });
  const sent = toContractCart(cartItem.get());
  expect(sent).toMatchObject({ cartId, storeId: "sunset", schedule: null, promo: { code: "" } });
  expect(sent.items[0]).toEqual({
    lineId: expect.any(String),
    itemId: "latte",
    sizeId: "medium",
    quantity: 1,
    choices: [{ modificationId: "milk", choiceId: "oat", quantity: 1 }],
    note: "",
  });
  cartItem.clear();
  addLine(sunset, latte);
  expect(cartItem.get().cartId).not.toBe(cartId);
});

it("gets a new id with the next item after it was emptied, unless an order of it may be on its way", () => {
  addLine(sunset, latte);
  const { cartId } = cartItem.get();
  const empty = () => setQuantity(cartItem.get().items[0]?.lineId ?? "", 0);
  attemptItem.set({ name: "draft", key: "key-1", expectedTotal: 575, expectedReadyAt: "" });
  empty();
  addLine(sunset, latte);
  expect(cartItem.get().cartId).toBe(cartId);
  attemptItem.clear();
  empty();
  addLine(sunset, latte);
  expect(cartItem.get().cartId).not.toBe(cartId);
});
