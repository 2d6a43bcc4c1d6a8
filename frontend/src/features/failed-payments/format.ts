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

export function totalPenaltyFee(payments: readonly FailedPayment[]): Money {
  return sum(payments.map(({ insufficientFundsPenaltyFee }) => insufficientFundsPenaltyFee));
}

/** Formats plain cents. */
export const formatCents = (amount: number): string => formatMoney(cents(amount));
