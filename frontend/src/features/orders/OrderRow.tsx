import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LineThumb } from "@/art/LineThumb";
import { getArtSelection } from "@/art/size-index";
import { formatMoney } from "@/lib/money";
import { formatDayInSentence, formatReadyTitle } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Tag } from "@/ui/Tag";
import { formatItems, formatStatus } from "./format";
import { isLate, isUnfulfilled, needsAuthentication } from "./progress";
import type { Order } from "./queries";

interface OrderRowProps {
  order: Order;
  /** Whether the bank returned the payment, and it is not paid yet. */
  hasFailedPayment: boolean;
  /** The button of the row. */
  action: ReactNode;
}

/** A row of a past order. */
export function OrderRow({ order, hasFailedPayment, action }: OrderRowProps): ReactNode {
  const [first] = order.lines;
  const at = order.placedAt ?? order.createdAt ?? "";
  return (
    <li className="relative flex items-center gap-3.5 py-3">
      {first && <LineThumb art={first.art} selection={getArtSelection(first)} />}
      {/* The tags have their own line, because the text beside the button is narrower than "Payment returned" on a small phone. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3.5">
        <div className="min-w-0 flex-1">
          <Link
            to="/orders/$orderId"
            params={{ orderId: order.orderId }}
            className="t-strong after:absolute after:inset-0"
          >
            {formatItems(order)}
          </Link>
          <p className="t-small num text-ink-2">
            {order.storeName}
            {at && `, ${formatDayInSentence(at, order.timeZone, new Date())}`}, {formatMoney(order.total)}
          </p>
        </div>
        <p className="order-last flex w-full flex-wrap gap-2 pt-1 empty:hidden">
          {isUnfulfilled(order) && (
            <Tag>{order.status === "Rejected" ? "Not made" : formatStatus(order)}</Tag>
          )}
          {hasFailedPayment && <Tag tone="bad">Payment returned</Tag>}
        </p>
        <div className="relative z-1 shrink-0">{action}</div>
      </div>
    </li>
  );
}

function formatActiveTitle(order: Order, now: Date): string {
  if (needsAuthentication(order)) return "Not paid yet";
  if (order.status === "PaymentPending") return "One moment";
  if (order.status === "Ready" || !order.eta) return order.storeName;
  return isLate(order, now) ? "Running late" : formatReadyTitle(order.eta.readyAt, order.timeZone, now);
}

export function ActiveOrderRow({ order }: { order: Order }): ReactNode {
  const now = useNow(10_000);
  const [first] = order.lines;
  return (
    <li>
      <Link
        to="/orders/$orderId"
        params={{ orderId: order.orderId }}
        className="flex items-center gap-3.5 rounded-card bg-inverse p-4 text-inverse-ink"
      >
        {first && <LineThumb art={first.art} selection={getArtSelection(first)} />}
        <span className="min-w-0 flex-1">
          <span className="t-small-strong block text-inverse-crema">{formatStatus(order)}</span>
          <span className="t-title num block">{formatActiveTitle(order, now)}</span>
          <span className="t-small block text-inverse-ink-2">
            {formatItems(order)}, {order.storeName}
          </span>
        </span>
        {order.pickupNumber && order.status !== "PaymentPending" && (
          <span className="text-right">
            <span className="t-small block text-inverse-ink-2">Code</span>
            <b className="t-heading num">{order.pickupNumber}</b>
          </span>
        )}
      </Link>
    </li>
  );
}
