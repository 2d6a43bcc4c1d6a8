import { formatMoney } from "@/lib/money";
import type { Receipt } from "./queries";

const METHOD_NAMES: Record<Receipt["paymentType"], string> = {
  card: "card",
  bank: "bank account",
  joebucks: "JoePass",
  apple: "Apple Pay",
  google: "Google Pay",
};

/** "Paid $12.40 with card.", "This order was canceled. Nothing was charged." */
export function formatReceiptPayment({ status, isCharged, total, paymentType }: Receipt): string {
  const amount = formatMoney(total);
  const isCanceled = status === "Cancelled" || status === "Rejected";
  if (isCanceled) {
    const label = status === "Cancelled" ? "This order was canceled." : "The store couldn't make this order.";
    const payment = isCharged ? `${amount} is refunded.` : "Nothing was charged.";
    return `${label} ${payment}`;
  }
  if (total.currencyAmount === 0) return "Nothing to pay.";
  return isCharged
    ? `Paid ${amount} with ${METHOD_NAMES[paymentType]}.`
    : `${amount} on hold (${METHOD_NAMES[paymentType]}).`;
}
