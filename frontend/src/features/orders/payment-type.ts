import type { Payment } from "./format-methods";

/** Display names of payment types (specification section 3). Payments that a store takes itself are "cash" or another card. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["joebucks", "JoeBucks"],
  ["gift_card", "Gift Card"],
  ["physical_gift_card", "Physical Gift Card"],
  ["card", "Credit Card"],
  ["bank", "Bank Account"],
  ["apple", "Apple Pay"],
  ["google", "Google Pay"],
  ["cash", "Cash"],
]);

/** Returns the display name of a payment type: "Credit Card", "Cash". */
export const formatPaymentType = (type: string): string => NAMES.get(type) ?? "Card";

/** Returns the display name of a payment. The name of the balance distinguishes gift cards from JoePass. */
export function formatPaymentName({ type, name }: Pick<Payment, "type" | "name">): string {
  if (type !== "joebucks" || name === null || name === "JoePass") return formatPaymentType(type);
  return formatPaymentType(name === "Physical gift card" ? "physical_gift_card" : "gift_card");
}
