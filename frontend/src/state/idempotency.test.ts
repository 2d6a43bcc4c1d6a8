import { expect, it } from "vitest";
import { forgetKey, idempotencyItem, keyFor } from "./idempotency";

it("stores one random key per distinct request", () => {
  const card = keyFor("pm_1", "card", 100);
  expect(keyFor("pm_1", "card", 100)).toBe(card);
  expect(keyFor("pm_1", "card", 200)).not.toBe(card);
  expect(card).toMatch(/^[0-9a-f-]{36}$/);
});

it("stores the key before it is used, so that a reload repeats the same request", () => {
  const key = keyFor("pm_1", "card", 100);
  expect(localStorage.getItem("order-ahead.idempotency")).toContain(key);
});

it("creates a new key once the outcome of the request is known", () => {
  const [card, bank] = [keyFor("pm_1", "card", 100), keyFor("pm_2", "bank", 100)];
  forgetKey("pm_1", "card", 100);
  expect(keyFor("pm_1", "card", 100)).not.toBe(card);
  expect(keyFor("pm_2", "bank", 100)).toBe(bank);
});

it("deletes all keys when cleared", () => {
  const key = keyFor("pm_1", "card", 100);
  idempotencyItem.clear();
  expect(keyFor("pm_1", "card", 100)).not.toBe(key);
});
