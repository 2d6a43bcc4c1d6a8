import { cents, formatMoney, type Money, sum } from "@/lib/money";
import type { FailedPayment } from "./queries";

/** "1 item", "2 items". */
export function formatItemCount(items: FailedPayment["items"]): string {
  const count = items.reduce((total, { quantity }) => total + quantity, 0);
  return `${count} ${count === 1 ? "item" : "items"}`;
}

/** The total of a failed payment with its penalty fee. */
export function owedFor({ total, insufficientFundsPenaltyFee }: FailedPayment): Money {
  return sum([total, insufficientFundsPenaltyFee]);
}

/** "Your bank returned this payment. You owe $17.40, including a $5.00 fee." */
export function formatOwed(payment: FailedPayment, isRefunded: boolean): string {
  const { insufficientFundsPenaltyFee: fee } = payment;
  const after = isRefunded ? " after we refunded it" : "";
  const including = fee.currencyAmount > 0 ? `, including a ${formatMoney(fee)} fee` : "";
  return `Your bank returned this payment${after}. You owe ${formatMoney(owedFor(payment))}${including}.`;
}

export function totalPenaltyFee(payments: readonly FailedPayment[]): Money {
  return sum(payments.map(({ insufficientFundsPenaltyFee }) => insufficientFundsPenaltyFee));
}

/** Formats plain cents. */
export const formatCents = (amount: number): string => formatMoney(cents(amount));
