import { formatMoney } from "@/lib/money";
import { formatFailedPayments, formatHolds, formatMethod, isCharge, listPayments } from "./format-methods";
import type { Receipt } from "./queries";

/** "This order was canceled. Nothing was charged.", "$12.40 on hold (card).", "$12.40 not paid."; undefined for an order that was paid. */
export function formatReceiptPayment(
  receipt: Pick<Receipt, "status" | "isCharged" | "total" | "paymentType" | "payments">,
): string | undefined {
  const { status, isCharged, total, paymentType, payments } = receipt;
  if (status === "Cancelled" || status === "Rejected") {
    const label = status === "Cancelled" ? "This order was canceled." : "The store couldn't make this order.";
    const payment = isCharged ? `${formatMoney(total)} is refunded.` : formatNotCharged(payments);
    return `${label} ${payment}`;
  }
  if (total.currencyAmount === 0) return "Nothing to pay.";
  if (isCharged) return undefined;
  const parts = listPayments(payments, paymentType, total);
  // The payment of an order that was made has failed.
  return status === "Ready" || status === "Completed"
    ? `${formatFailedPayments(parts, isCharge, "not paid", formatMethod)}.`
    : `${formatHolds(parts, formatMethod)}.`;
}

/** Stored value that paid a part may have been captured before the charge of the other part failed. */
function formatNotCharged(payments: Receipt["payments"]): string {
  const stored = payments.find((payment) => !isCharge(payment));
  return stored && payments.length > 1
    ? `${formatMoney(stored.amount)} is back on the ${formatMethod(stored)}. Nothing else was charged.`
    : "Nothing was charged.";
}
