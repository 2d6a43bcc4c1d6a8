/** Texts about an order: items, status, payment and refund. */
import { formatMoney } from "@/lib/money";
import { formatTime } from "@/lib/time";
import type { Order } from "./queries";

/** "Iced latte, croissant", "3 × Cold brew". */
export const formatItems = ({ lines }: Pick<Order, "lines">): string =>
  lines.map(({ itemName, quantity }) => (quantity > 1 ? `${quantity} × ${itemName}` : itemName)).join(", ");

export function formatStatus({ status, arrivedAt }: Order): string {
  switch (status) {
    case "PaymentPending":
      return "Waiting for your bank";
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
  const showsTime = order.status === "Accepted" || order.status === "Preparing";
  return `${formatStatus(order)}${showsTime ? ready : ""}. ${storeName}.`;
}

function formatMethodName({ paymentMethod }: Pick<Order, "paymentMethod">): string {
  switch (paymentMethod?.type) {
    case "joebucks":
      return "JoePass";
    case "bank":
      return "your bank account";
    case "apple":
      return "Apple Pay";
    case "google":
      return "Google Pay";
    default:
      return "your card";
  }
}

/** "$12.40 on hold (JoePass)" until a store accepts the order, then "Paid $12.40 with JoePass". */
export function formatPayment(order: Order): string {
  if (order.status === "PaymentPending")
    return `Waiting for your bank to confirm ${formatMoney(order.total)}`;
  const held = order.status === "Placed" || order.status === "Scheduled";
  const amount = formatMoney(order.total);
  return held
    ? `${amount} on hold (${formatMethodName(order)})`
    : `Paid ${amount} with ${formatMethodName(order)}`;
}

/** Explains what happened to the payment of an unfulfilled order. */
export function formatRefund(order: Order): string {
  const amount = formatMoney(order.total);
  const isJoePass = order.paymentMethod?.type === "joebucks";
  if (order.total.currencyAmount === 0 || order.status === "PaymentFailed") return "You weren't charged.";
  const promo = order.promoCode ? ` You can use code ${order.promoCode} again.` : "";
  // The bank released or returned the payment, even if the store had accepted.
  if (order.reason === "PAYMENT_HOLD_EXPIRED" || order.reason === "PAYMENT_RETURNED") {
    return `You weren't charged.${promo}`;
  }
  const captured = order.history.some(({ status }) => status === "Accepted");
  if (isJoePass) return `${amount} is back on your JoePass.${promo}`;
  return captured
    ? `We're refunding ${amount} to ${formatMethodName(order)}. It can take a few days to show up.${promo}`
    : `You weren't charged. We released the ${amount} hold.${promo}`;
}
