import { cents, formatMoney, type Money } from "@/lib/money";
import { isWallet } from "./device-wallet";
import type { PaymentMethod } from "./queries";

/** "JoePass", "Visa ending 4242", "First Valley Bank". */
export function formatMethodName({ displayName, institutionName, last4, type }: PaymentMethod): string {
  if (type === "card" && last4) return `${capitalize(institutionName ?? "Card")} ending ${last4}`;
  if (type === "bank" && institutionName) return institutionName;
  return displayName;
}

/** Formats a detail of a method: balance, expiry or account. With a total, also the balance after the payment. */
export function formatMethodDetail(method: PaymentMethod, total?: Money): string {
  if (method.type === "joebucks") return formatBalance(method, total);
  if (isWallet(method)) return "Confirm on this device";
  if (method.expired) return `Expired ${method.expDate ?? ""}`.trim();
  if (method.type === "bank" && method.last4) return `Account ending ${method.last4}`;
  return method.expDate ? `Expires ${method.expDate}` : method.name;
}

function formatBalance({ amount, companyId }: PaymentMethod, total: Money | undefined): string {
  const balance = amount ?? 0;
  const text =
    companyId === null ? formatMoney(cents(balance)) : `Company gift card, ${formatMoney(cents(balance))}`;
  if (!total) return text;
  const left = balance - total.currencyAmount;
  return left < 0
    ? `${text}, ${formatMoney(cents(-left))} short`
    : `${text}, ${formatMoney(cents(left))} left after this order`;
}

/** Returns the error of a balance below the total; undefined for other methods. */
export function formatShortfall(method: PaymentMethod, total: Money): string | undefined {
  const left = (method.amount ?? 0) - total.currencyAmount;
  if (method.type !== "joebucks" || left >= 0) return undefined;
  return `${formatMethodName(method)} is ${formatMoney(cents(-left))} short. Choose another way to pay.`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
