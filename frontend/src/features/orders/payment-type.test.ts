import { expect, it } from "vitest";
import { formatPaymentName, formatPaymentType } from "./payment-type";

it.each([
  ["card", "Credit Card"],
  ["bank", "Bank Account"],
  ["apple", "Apple Pay"],
  ["google", "Google Pay"],
  ["cash", "Cash"],
  ["interac", "Card"],
])("names the payment type %s", (type, name) => {
  expect(formatPaymentType(type)).toBe(name);
});

it.each([
  [null, "JoeBucks"],
  ["JoePass", "JoeBucks"],
  ["Gift card", "Gift Card"],
  ["Juniper Lane card", "Gift Card"],
  ["Physical gift card", "Physical Gift Card"],
])("names stored value from %s", (name, displayName) => {
  expect(formatPaymentName({ type: "joebucks", name })).toBe(displayName);
});
