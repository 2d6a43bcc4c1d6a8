/** Texts that explain the transactions of stored value. */
import { formatMoney, type Money } from "@/lib/money";
import type { Transaction } from "./queries";

/** The parts of an order that explain its transaction. */
export interface OrderDetails {
  storeName: string;
  lines: readonly { itemName: string; quantity: number; amount: Money }[];
  discount: Money;
  tax: Money;
  tip: Money;
  total: Money;
}

/** Returns the title: for an order its store or the kind of change, otherwise the title of the ledger. */
export function formatTransactionTitle(
  { kind, title }: Transaction,
  order: OrderDetails | undefined,
): string {
  if (!order) return title;
  return kind === "order_held" || kind === "order_captured"
    ? order.storeName
    : kind === "order_released"
      ? "Hold released"
      : "Refund";
}

/** Why transactions happened that do not belong to an order. */
const REASONS: Readonly<Record<string, string>> = {
  counter_payment: "Paid at the counter with your PIN",
  deal_bonus: "Extra value from your deal",
  refund_credit: "We couldn't send this refund back to your bank, so we added it here",
  purchase_returned: "Your bank returned the payment",
};

/** Explains the amount. */
export function formatTransactionDetail(transaction: Transaction, order: OrderDetails | undefined): string {
  const { kind, state } = transaction;
  if (kind === "order_released")
    return order ? `Order at ${order.storeName}` : "We didn't charge you for this order";
  if (kind === "order_refunded") return order ? `Order at ${order.storeName}` : "We refunded this order";
  if (kind !== "order_held" && kind !== "order_captured") return REASONS[kind] ?? "";
  const hold =
    state === "held" ? "On hold until the store accepts" : state === "released" ? "Hold released" : "";
  if (!order) return hold;
  const parts = formatParts(order);
  // A second payment method paid the difference.
  if (Math.abs(transaction.amount.currencyAmount) < order.total.currencyAmount) {
    return `${hold && `${hold}. `}Part of ${formatMoney(order.total)}: ${parts}`;
  }
  return `${hold && `${hold}: `}${parts}`;
}

/** Lists the parts of an order, which add up to its total: "Iced latte 5.75, tax 0.90, tip 2.00". */
function formatParts({ lines, discount, tax, tip }: OrderDetails): string {
  const parts = lines.map(
    ({ itemName, quantity, amount }) =>
      `${quantity > 1 ? `${quantity} × ` : ""}${itemName} ${formatPlain(amount)}`,
  );
  if (discount.currencyAmount > 0) parts.push(`promo −${formatPlain(discount)}`);
  if (tax.currencyAmount > 0) parts.push(`tax ${formatPlain(tax)}`);
  if (tip.currencyAmount > 0) parts.push(`tip ${formatPlain(tip)}`);
  return parts.join(", ");
}

const formatPlain = (money: Money): string => formatMoney(money).replace("$", "");

/** "−$12.40", "+$20.00". */
export function formatSignedAmount(amount: Money): string {
  const text = formatMoney({ ...amount, currencyAmount: Math.abs(amount.currencyAmount) });
  return amount.currencyAmount < 0 ? `−${text}` : `+${text}`;
}
