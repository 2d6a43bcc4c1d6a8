/** Orders in words: what is happening, and what was given back. */
import { formatMoney } from "@/lib/money";
import { formatTime } from "@/lib/time";
import type { Order } from "./queries";

/** "Iced latte, croissant", "3 × Cold brew". */
export const itemsOf = ({ lines }: Pick<Order, "lines">): string =>
  lines.map(({ itemName, quantity }) => (quantity > 1 ? `${quantity} × ${itemName}` : itemName)).join(", ");

/** The state in a few words, above the promise. */
export function stateWords({ status, arrivedAt }: Order): string {
  switch (status) {
    case "PaymentPending":
      return "Waiting for your bank";
    case "Scheduled":
      return "Scheduled";
    case "Placed":
      return "Sent to the bar";
    case "Accepted":
      return "The bar has it";
    case "Preparing":
      return "Being made";
    case "Ready":
      return arrivedAt ? "Ready, and the bar knows you are here" : "Ready for you";
    case "Completed":
      return "Picked up";
    case "Cancelled":
      return "Cancelled";
    case "Rejected":
      return "The bar could not make it";
    case "PaymentFailed":
      return "Not ordered";
  }
}

/** What a live region says when the order changes. */
export function spokenState(order: Order): string {
  const { promise, storeName } = order;
  const ready = promise ? `, ready ${formatTime(promise.readyAt, promise.timeZone)}` : "";
  const ahead = order.status === "Accepted" || order.status === "Preparing";
  return `${stateWords(order)}${ahead ? ready : ""}. ${storeName}.`;
}

/** How it was paid: "with JoePass", "with your card". */
export function paidWith({ paymentMethod }: Pick<Order, "paymentMethod">): string {
  switch (paymentMethod?.type) {
    case "joebucks":
      return "with JoePass";
    case "bank":
      return "from your bank account";
    case "apple":
      return "with Apple Pay";
    case "google":
      return "with Google Pay";
    default:
      return "with your card";
  }
}

/** "Paid $12.40 with JoePass"; held until a store accepts. */
export function paidWords(order: Order): string {
  const held = order.status === "Placed" || order.status === "Scheduled";
  return `${held ? "Set aside" : "Paid"} ${formatMoney(order.total)} ${paidWith(order)}`;
}

/** What became of the money of an order that came to nothing. */
export function givenBack(order: Order): string {
  const amount = formatMoney(order.total);
  const card = order.paymentMethod?.type !== "joebucks";
  if (order.total.currencyAmount === 0 || order.status === "PaymentFailed") return "Nothing was charged.";
  const promo = order.promoCode ? ` Your code ${order.promoCode} can be used again.` : "";
  // The bank had let go of the money, also where the store had said yes.
  if (order.reason === "PAYMENT_HOLD_EXPIRED" || order.reason === "PAYMENT_RETURNED") {
    return `Nothing was charged.${promo}`;
  }
  const captured = order.history.some(({ status }) => status === "Accepted");
  if (!card) return `${amount} is back on your JoePass.${promo}`;
  return captured
    ? `${amount} goes back to your card; banks take a few days to show it.${promo}`
    : `Your card was not charged; the ${amount} set aside is free again.${promo}`;
}
