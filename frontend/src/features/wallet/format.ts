/** What each movement of stored value is made of: every cent has a reason. */
import { formatMoney, type Money } from "@/lib/money";
import type { Transaction } from "./queries";

/** What is known of the order that a movement is for. */
export interface OrderDetails {
  storeName: string;
  lines: readonly { itemName: string; quantity: number; amount: Money }[];
  discount: Money;
  tax: Money;
  tip: Money;
}

/** The name of a movement: the store for an order, otherwise what the ledger says. */
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

/** What it is made of, or why it moved. */
export function formatTransactionDetail(transaction: Transaction, order: OrderDetails | undefined): string {
  const { kind, state } = transaction;
  if (kind === "order_released")
    return order ? `Order at ${order.storeName}` : "We didn't charge you for this order";
  if (kind === "order_refunded") return order ? `Order at ${order.storeName}` : "We refunded this order";
  if (kind !== "order_held" && kind !== "order_captured") return "";
  const parts = order ? partsOf(order) : "";
  if (state === "held") return ["On hold until the store accepts", parts].filter(Boolean).join(": ");
  if (state === "released") return ["Hold released", parts].filter(Boolean).join(": ");
  return parts;
}

/** "Iced latte 5.75, 2 × cookie 6.00, tax 0.90, tip 2.00": amounts add up to what moved. */
function partsOf({ lines, discount, tax, tip }: OrderDetails): string {
  const parts = lines.map(
    ({ itemName, quantity, amount }) => `${quantity > 1 ? `${quantity} × ` : ""}${itemName} ${plain(amount)}`,
  );
  if (discount.currencyAmount > 0) parts.push(`promo −${plain(discount)}`);
  if (tax.currencyAmount > 0) parts.push(`tax ${plain(tax)}`);
  if (tip.currencyAmount > 0) parts.push(`tip ${plain(tip)}`);
  return parts.join(", ");
}

const plain = (money: Money): string => formatMoney(money).replace("$", "");

/** "−$12.40", "+$20.00". */
export function formatSignedAmount(amount: Money): string {
  const text = formatMoney({ ...amount, currencyAmount: Math.abs(amount.currencyAmount) });
  return amount.currencyAmount < 0 ? `−${text}` : `+${text}`;
}
