import { cents, formatMoney } from "./money";

/** Returns the error of an amount in cents; undefined if it is within the limits. */
export function amountError(amount: number | null, minimum: number, maximum: number): string | undefined {
  if (amount === null) return "Choose an amount.";
  if (amount < minimum) return `The minimum is ${formatMoney(cents(minimum), { bare: true })}.`;
  if (amount > maximum) return `The maximum is ${formatMoney(cents(maximum), { bare: true })}.`;
  return undefined;
}
