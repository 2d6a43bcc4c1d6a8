/** Splits a total between a balance that is too low and a card. */
import { cents, type Money } from "@/lib/money";
import type { PaymentMethod } from "./queries";

export interface Split {
  balance: PaymentMethod;
  storedValue: { paymentMethodId: string; amount: Money };
  /** The card or wallet that pays the rest. */
  rest: PaymentMethod;
  restAmount: Money;
}

/** Only cards and wallets can pay the rest of a total. */
export const canPayRest = ({ type, expired }: Pick<PaymentMethod, "type" | "expired">): boolean =>
  !expired && (type === "card" || type === "apple" || type === "google");

/**
 * Returns how a balance below the total and a card share it. The card pays at least `minCardAmount` cents. Undefined if there is
 * nothing to share, or no card.
 */
export function splitTotal(
  balance: PaymentMethod,
  rest: PaymentMethod | undefined,
  total: Money,
  minCardAmount: number,
): Split | undefined {
  const missing = total.currencyAmount - (balance.amount ?? 0);
  if (balance.type !== "joebucks" || !rest || missing <= 0) return undefined;
  const restAmount = Math.max(missing, minCardAmount);
  const stored = total.currencyAmount - restAmount;
  if (stored <= 0) return undefined;
  return {
    balance,
    storedValue: { paymentMethodId: balance.paymentMethodId, amount: cents(stored) },
    rest,
    restAmount: cents(restAmount),
  };
}
