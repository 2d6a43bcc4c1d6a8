/** Names of payment methods within a sentence. */
import { formatMoney, type Money } from "@/lib/money";
import type { Order } from "./queries";

export type Payment = Order["payments"][number];

const NAMES: Record<Exclude<Payment["type"], "joebucks">, string> = {
  card: "card",
  bank: "bank account",
  apple: "Apple Pay",
  google: "Google Pay",
};

/** Returns what pays the total: stored value first. Orders of previous releases have one payment without a name. */
export function listPayments(
  payments: readonly Payment[],
  type: Payment["type"] | undefined,
  total: Money,
): readonly Payment[] {
  if (payments.length > 0 || !type) return payments;
  return [{ type, name: null, amount: total }];
}

/** Returns whether a payment is a debit, which the bank may return for months. */
export const isBankDebit = ({ type }: Pick<Payment, "type">): boolean => type === "bank";

/** Returns whether a payment is not from stored value, so that it can fail after the store accepted the order. */
export const isCharge = ({ type }: Pick<Payment, "type">): boolean => type !== "joebucks";

/** "JoePass", "gift card", "Intelligentsia card", "card", "Apple Pay". */
export function formatMethod({ type, name }: Payment): string {
  if (type !== "joebucks") return NAMES[type];
  if (name === "Gift card" || name === "Physical gift card") return name.toLowerCase();
  return name ?? "JoePass";
}

/** "JoePass", "your gift card", "your card". */
export function formatYourMethod(payment: Payment): string {
  const method = formatMethod(payment);
  const isBrand = method === "JoePass" || payment.type === "apple" || payment.type === "google";
  return isBrand ? method : `your ${method}`;
}

/** "$12.40 with JoePass", "$4.00 with JoePass and $8.40 with your card". */
export const formatPayments = (
  payments: readonly Payment[],
  formatName: (payment: Payment) => string,
): string =>
  payments.map((payment) => `${formatMoney(payment.amount)} with ${formatName(payment)}`).join(" and ");

/** "$12.40 on hold (JoePass)", "$4.00 (JoePass) and $8.40 (your card) on hold". */
export function formatHolds(payments: readonly Payment[], formatName: (payment: Payment) => string): string {
  const [first] = payments;
  if (first && payments.length === 1) return `${formatMoney(first.amount)} on hold (${formatName(first)})`;
  const parts = payments.map((payment) => `${formatMoney(payment.amount)} (${formatName(payment)})`);
  return `${parts.join(" and ")} on hold`;
}

/** "$12.40 returned by your bank", "$8.40 not paid, paid $4.00 with your gift card". */
export function formatFailedPayments(
  payments: readonly Payment[],
  isFailed: (payment: Payment) => boolean,
  outcome: string,
  formatName: (payment: Payment) => string,
): string {
  const failed = payments.filter(isFailed).map(({ amount }) => formatMoney(amount));
  const paid = payments.filter((payment) => !isFailed(payment));
  const rest = paid.length > 0 ? `, paid ${formatPayments(paid, formatName)}` : "";
  return `${failed.join(" and ")} ${outcome}${rest}`;
}
