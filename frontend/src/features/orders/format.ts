/** Texts about an order: items, status, payment and refund. */
import { statesPayment } from "@/lib/charge-text";
import { calculateTax, formatMoney, type Money } from "@/lib/money";
import { isActive } from "@/lib/order-status";
import { formatTime } from "@/lib/time";
import {
  formatFailedPayments,
  formatHolds,
  formatMethod,
  formatPayments,
  formatYourMethod,
  isBankDebit,
  isCharge,
  listPayments,
  type Payment,
} from "./format-methods";
import { isDelayed, isUnfulfilled } from "./progress";
import type { Order, Receipt } from "./queries";

/** "Iced latte, croissant", "3 × Cold brew". */
export const formatItems = ({ lines }: Pick<Order, "lines">): string =>
  lines.map(({ itemName, quantity }) => (quantity > 1 ? `${quantity} × ${itemName}` : itemName)).join(", ");

/** Returns what the order costs when it is placed again: its items with tax, without tip and promo code. */
export function calculateRepeatTotal({
  subtotal,
  taxRatePpm,
}: Pick<Order, "subtotal" | "taxRatePpm">): Money {
  const tax = calculateTax(subtotal.currencyAmount, taxRatePpm);
  return { ...subtotal, currencyAmount: subtotal.currencyAmount + tax };
}

export function formatStatus({ status, arrivedAt, clientSecret }: Order): string {
  switch (status) {
    case "PaymentPending":
      return clientSecret === null ? "Waiting for your bank" : "Confirm your payment";
    case "Scheduled":
      return "Scheduled";
    case "Placed":
      return "Sent to the store";
    case "Accepted":
      return "Accepted";
    case "Preparing":
      return "Being made";
    case "Ready":
      return arrivedAt ? "Ready. The store knows you're here" : "Ready for pickup";
    case "Completed":
      return "Picked up";
    case "Cancelled":
      return "Canceled";
    case "Rejected":
      return "The store couldn't make it";
    case "PaymentFailed":
      return "Not placed";
  }
}

/** Formats the announcement for screen readers when the order changes. */
export function formatAnnouncement(order: Order): string {
  const { eta, storeName } = order;
  const ready = eta ? `, ready ${formatTime(eta.readyAt, eta.timeZone)}` : "";
  const showsTime = order.status === "Accepted" || order.status === "Preparing" || isDelayed(order);
  return `${formatStatus(order)}${showsTime ? ready : ""}. ${storeName}.`;
}

const paymentsOf = ({ payments, paymentMethod, total }: Order): readonly Payment[] =>
  listPayments(payments, paymentMethod?.type, total);

/** "$12.40 on hold (JoePass)" until the money is taken, then "Paid $12.40 with JoePass". A bank may return its part later. */
export function formatPayment(order: Order, returned?: "owed" | "recovered"): string {
  const payments = paymentsOf(order);
  if (returned) {
    const outcome = `returned by your bank${returned === "recovered" ? " and paid later" : ""}`;
    return formatFailedPayments(payments, isBankDebit, outcome, formatYourMethod);
  }
  if (order.total.currencyAmount === 0) return "Nothing to pay";
  if (order.status === "PaymentPending") {
    return `Waiting for your bank to confirm ${formatMoney(order.total)}`;
  }
  if (isUnpaid(order)) return formatFailedPayments(payments, isCharge, "not paid", formatYourMethod);
  return order.isCharged
    ? `Paid ${formatPayments(payments, formatYourMethod)}`
    : formatHolds(payments, formatYourMethod);
}

/** Returns whether the payment of an order may have failed: it was made or refunded, and the bank may have returned its debit since. */
export function mayHaveFailedPayment(order: Order | Receipt): boolean {
  const type = "paymentType" in order ? order.paymentType : order.paymentMethod?.type;
  const isMadeOrEnded = order.status === "Ready" || !isActive(order);
  return isMadeOrEnded && listPayments(order.payments, type, order.total).some(isBankDebit);
}

const LOST_PAYMENTS = new Set(["PAYMENT_HOLD_EXPIRED", "PAYMENT_RETURNED", "PAYMENT_CAPTURE_FAILED"]);

/** Returns whether the order was made and its payment failed. The order's message explains what to do. */
export const isUnpaid = ({ status, reason }: Pick<Order, "status" | "reason">): boolean =>
  (status === "Ready" || status === "Completed") && reason !== null;

/** Explains before cancellation what happens to the payment. */
export function formatCancellation(order: Order): string {
  const payment = order.isCharged
    ? `We'll refund ${formatRefunds(paymentsOf(order))}`
    : "You won't be charged";
  const promo = order.promoCode ? ", and your promo code won't count as used" : "";
  return order.status === "PaymentPending"
    ? `Your order isn't placed yet. ${payment}${promo}.`
    : `It's free until the store accepts. ${payment}${promo}.`;
}

/** Explains why an order ended. Its payment is explained once, by this text or by {@link formatRefund}. */
export function formatEnd({ reason, message }: Pick<Order, "reason" | "message">): string {
  if (reason === "CONSUMER_CANCELLED") return "You canceled this order.";
  if (reason === "NOT_ACCEPTED") return "The store didn't accept your order in time.";
  return message ?? "";
}

/** Returns whether {@link formatRefund} adds to {@link formatEnd}. */
export const hasRefund = (order: Order): boolean => isUnfulfilled(order) && formatRefund(order) !== "";

/** "$12.40 to your bank account". */
const formatRefunds = (payments: readonly Payment[]): string =>
  payments.map((payment) => `${formatMoney(payment.amount)} to ${formatYourMethod(payment)}`).join(" and ");

/**
 * Explains what happened to the payment of an unfulfilled order, unless {@link formatEnd} does. Each part goes back to where it came
 * from.
 */
export function formatRefund(order: Order): string {
  const payment = statesPayment(formatEnd(order)) ? "" : formatReturned(order);
  const promo =
    order.promoCode && order.status !== "PaymentFailed" ? `Code ${order.promoCode} wasn't used.` : "";
  return [payment, promo].filter(Boolean).join(" ");
}

function formatReturned(order: Order): string {
  const payments = paymentsOf(order);
  if (order.total.currencyAmount === 0) return "You weren't charged.";
  if (order.status === "PaymentFailed") {
    // The debit may have started before the order failed.
    return payments.some(({ type }) => type === "bank")
      ? "If your bank account was debited, we'll refund it."
      : "You weren't charged.";
  }
  return payments.map((payment) => formatRefundOf(payment, order)).join(" ");
}

function formatRefundOf(payment: Payment, { reason, isCharged, payments }: Order): string {
  const amount = formatMoney(payment.amount);
  if (payment.type === "joebucks") return `${amount} is back on your ${formatMethod(payment)}.`;
  const notCharged = payments.length > 1 ? "Your card wasn't charged." : "You weren't charged.";
  // The bank released the hold or returned the payment, so there is nothing to release or refund.
  if (reason && LOST_PAYMENTS.has(reason)) return notCharged;
  return isCharged
    ? `We're refunding ${amount} to ${formatYourMethod(payment)}. It can take a few days to show up.`
    : `${notCharged} We released the ${amount} hold.`;
}
