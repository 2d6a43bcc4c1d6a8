import { expect, it } from "vitest";
import { deleteIdempotencyKey, getIdempotencyKey, idempotencyItem, purchaseFingerprint } from "./idempotency";

it("stores one random key per distinct request", () => {
  const card = getIdempotencyKey("pm_1", "card", 100);
  expect(getIdempotencyKey("pm_1", "card", 100)).toBe(card);
  expect(getIdempotencyKey("pm_1", "card", 200)).not.toBe(card);
  expect(card).toMatch(/^[0-9a-f-]{36}$/);
});

it("stores the key before it is used, so that a reload repeats the same request", () => {
  const key = getIdempotencyKey("pm_1", "card", 100);
  expect(localStorage.getItem("order-ahead.idempotency")).toContain(key);
});

it("creates a new key after the key of the request was deleted", () => {
  const [card, bank] = [getIdempotencyKey("pm_1", "card", 100), getIdempotencyKey("pm_2", "bank", 100)];
  deleteIdempotencyKey("pm_1", "card", 100);
  expect(getIdempotencyKey("pm_1", "card", 100)).not.toBe(card);
  expect(getIdempotencyKey("pm_2", "bank", 100)).toBe(bank);
});

it("deletes all keys when cleared", () => {
  const key = getIdempotencyKey("pm_1", "card", 100);
  idempotencyItem.clear();
  expect(getIdempotencyKey("pm_1", "card", 100)).not.toBe(key);
});

it("identifies a purchase without the payment of the wallet, which differs for each attempt", () => {
  const pay = (type: string, walletPaymentMethodId?: string) =>
    purchaseFingerprint("gift-card", {
      amount: 2500,
      payment: { type, paymentMethodId: "", ...(walletPaymentMethodId ? { walletPaymentMethodId } : {}) },
    } as Parameters<typeof purchaseFingerprint>[1]);
  expect(pay("google", "pm_2")).toEqual(pay("google", "pm_1"));
  expect(pay("google", "pm_1").join()).not.toContain("pm_1");
  expect(pay("apple", "pm_1")).not.toEqual(pay("google", "pm_1"));
});
