import { expect, it } from "vitest";
import { cents } from "@/lib/money";
import {
  formatSignedAmount,
  formatTransactionDetail,
  formatTransactionTitle,
  type OrderDetails,
} from "./format";
import type { Transaction } from "./queries";

const order: OrderDetails = {
  storeName: "Sunset & Maltman",
  lines: [
    { itemName: "Iced latte", quantity: 1, amount: cents(575) },
    { itemName: "Cookie", quantity: 2, amount: cents(600) },
  ],
  discount: cents(300),
  tax: cents(83),
  tip: cents(200),
  total: cents(1158),
};

const transaction = (kind: string, amount: number, state: string | null = null): Transaction => ({
  transactionId: "t",
  kind,
  amount: cents(amount),
  balanceAfter: cents(1000),
  at: "2026-11-20T16:40:00Z",
  title: "Order at Sunset & Maltman",
  orderId: "o",
  balanceId: "bal_1",
  balanceKind: "JoePass",
  balanceName: "JoePass",
  storeId: null,
  purchaseId: null,
  state,
});

it("lists the parts of an order", () => {
  const paid = transaction("order_held", -1158, "paid");
  expect(formatTransactionTitle(paid, order)).toBe("Sunset & Maltman");
  expect(formatTransactionDetail(paid, order)).toBe(
    "Iced latte 5.75, 2 × Cookie 6.00, promo −3.00, tax 0.83, tip 2.00",
  );
});

it("says that the amount is a part of an order that was paid with a card, too", () => {
  const parts = "Iced latte 5.75, 2 × Cookie 6.00, promo −3.00, tax 0.83, tip 2.00";
  expect(formatTransactionDetail(transaction("order_held", -500, "paid"), order)).toBe(
    `Part of $11.58: ${parts}`,
  );
  expect(formatTransactionDetail(transaction("order_held", -500, "held"), order)).toBe(
    `On hold until the store accepts. Part of $11.58: ${parts}`,
  );
});

it("explains holds and released holds", () => {
  expect(formatTransactionDetail(transaction("order_held", -1158, "held"), undefined)).toBe(
    "On hold until the store accepts",
  );
  expect(formatTransactionDetail(transaction("order_held", -1158, "released"), undefined)).toBe(
    "Hold released",
  );
  expect(formatTransactionTitle(transaction("order_released", 1158), order)).toBe("Hold released");
  expect(formatTransactionDetail(transaction("order_released", 1158), order)).toBe(
    "Order at Sunset & Maltman",
  );
});

it("uses the title of the ledger without an order", () => {
  const gift = { ...transaction("gift", 2500), title: "A gift from Ana" };
  expect([formatTransactionTitle(gift, undefined), formatTransactionDetail(gift, undefined)]).toEqual([
    "A gift from Ana",
    "",
  ]);
});

it("formats amounts with a sign", () => {
  expect(formatSignedAmount(cents(-1240))).toBe("−$12.40");
  expect(formatSignedAmount(cents(2000))).toBe("+$20.00");
});
