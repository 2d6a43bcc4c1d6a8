import { formatMoney } from "@/lib/money";
import { formatHolds, formatMethod, listPayments } from "./format-methods";
import type { Receipt } from "./queries";

/** "This order was canceled. Nothing was charged.", "$12.40 on hold (card)."; undefined for an order that was paid. */
export function formatReceiptPayment(receipt: Receipt): string | undefined {
  const { status, isCharged, total, paymentType, payments } = receipt;
  if (status === "Cancelled" || status === "Rejected") {
    const label = status === "Cancelled" ? "This order was canceled." : "The store couldn't make this order.";
    const payment = isCharged ? `${formatMoney(total)} is refunded.` : "Nothing was charged.";
    return `${label} ${payment}`;
  }
  if (total.currencyAmount === 0) return "Nothing to pay.";
  return isCharged ? undefined : `${formatHolds(listPayments(payments, paymentType, total), formatMethod)}.`;
}
