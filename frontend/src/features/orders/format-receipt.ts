import { formatMoney } from "@/lib/money";
import { formatHolds, formatMethod, formatPayments, listPayments } from "./format-methods";
import type { Receipt } from "./queries";

/** "Paid $12.40 with card.", "This order was canceled. Nothing was charged." */
export function formatReceiptPayment({ status, isCharged, total, paymentType, payments }: Receipt): string {
  const isCanceled = status === "Cancelled" || status === "Rejected";
  if (isCanceled) {
    const label = status === "Cancelled" ? "This order was canceled." : "The store couldn't make this order.";
    const payment = isCharged ? `${formatMoney(total)} is refunded.` : "Nothing was charged.";
    return `${label} ${payment}`;
  }
  if (total.currencyAmount === 0) return "Nothing to pay.";
  const parts = listPayments(payments, paymentType, total);
  return isCharged ? `Paid ${formatPayments(parts, formatMethod)}.` : `${formatHolds(parts, formatMethod)}.`;
}
