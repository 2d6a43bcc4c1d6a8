/** Payment methods in words. */
import { cents, formatMoney, type Money } from "@/lib/money";
import type { PaymentMethod } from "./queries";

/** "JoePass", "Visa ending 4242", "First Valley Bank". */
export function nameOf({ displayName, institutionName, last4, type }: PaymentMethod): string {
  if (type === "card" && last4) return `${capitalised(institutionName ?? "Card")} ending ${last4}`;
  if (type === "bank" && institutionName) return institutionName;
  return displayName;
}

/** What to know of it: what is on it and what this order leaves, when it expires, which account it is. */
export function detailOf(method: PaymentMethod, total?: Money): string {
  if (method.type === "joebucks") return balanceOf(method, total);
  if (method.expired) return `Expired ${method.expDate ?? ""}`.trim();
  if (method.type === "bank" && method.last4) return `Account ending ${method.last4}`;
  return method.expDate ? `Expires ${method.expDate}` : method.name;
}

function balanceOf({ amount, companyId }: PaymentMethod, total: Money | undefined): string {
  const there = amount ?? 0;
  const words =
    companyId === null ? formatMoney(cents(there)) : `Company gift card, ${formatMoney(cents(there))}`;
  if (!total) return words;
  const left = there - total.currencyAmount;
  return left < 0
    ? `${words}, ${formatMoney(cents(-left))} short`
    : `${words}, ${formatMoney(cents(left))} left after this order`;
}

/** Why a balance cannot pay for it; nothing where it can, and for whatever is no balance. */
export function formatShortfall(method: PaymentMethod, total: Money): string | undefined {
  const left = (method.amount ?? 0) - total.currencyAmount;
  if (method.type !== "joebucks" || left >= 0) return undefined;
  return `${nameOf(method)} is ${formatMoney(cents(-left))} short. Choose another way to pay.`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
