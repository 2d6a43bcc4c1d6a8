import { Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { POUR_FROM_ABOVE_SCREEN } from "@/art/drink";
import { LazyItemArt } from "@/art/LazyItemArt";
import { getSizeIndex } from "@/art/size-index";
import { formatReadyTitle } from "@/lib/time";
import type { Order } from "./queries";
import "./home.css";

interface ActiveOrderCardProps {
  order: Order;
  status: string;
  /** The fill level of the cup, 0 to 1. */
  fill: number;
  now: Date;
  /** The "I'm here" button. */
  action?: ReactNode;
}

const STEPS = ["Placed", "Accepted", "Preparing", "Ready"] as const;

/** The card of an active order with status, promised time, steps and the filling cup. */
export function ActiveOrderCard({ order, status, fill, now, action }: ActiveOrderCardProps): ReactNode {
  return (
    <section aria-label={`Your order ${order.pickupNumber ?? ""}`.trim()} className="active-order">
      <div className="active-order-text">
        <p className="t-small-strong flex items-center gap-2 text-inverse-crema" aria-live="polite">
          <span aria-hidden="true" className="active-order-pulse" />
          {status}
        </p>
        <p className="t-hero num active-order-when">{formatHeadline(order, now)}</p>
        <p className="t-small text-inverse-ink-2">
          {formatItems(order)}
          <br />
          {order.storeName}
        </p>
        <Steps status={order.status} fill={fill} />
        <div className="active-order-actions">
          {action}
          <Link
            to="/orders/$orderId"
            params={{ orderId: order.orderId }}
            className="t-strong inline-flex min-h-target items-center gap-0.5 text-inverse-accent"
          >
            {order.status === "PaymentPending" ? "Finish or cancel" : "Track order"}
            <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
          </Link>
        </div>
      </div>
      <Cup order={order} fill={fill} />
    </section>
  );
}

function Steps({ status, fill }: { status: Order["status"]; fill: number }): ReactNode {
  const current = STEPS.indexOf(status as (typeof STEPS)[number]);
  return (
    <div
      role="img"
      aria-label={`Step ${Math.max(1, current + 1)} of 4`}
      className="mt-4 mr-3 mb-3.5 grid max-w-72 grid-cols-4 gap-1"
    >
      {STEPS.map((step, index) => {
        const share =
          index < current || status === "Ready" ? 1 : index > current ? 0 : step === "Preparing" ? fill : 0.5;
        return (
          <i key={step} className="relative h-1 overflow-hidden rounded-[2px] bg-inverse-line">
            <i
              className="absolute inset-y-0 left-0 rounded-[2px] bg-inverse-crema transition-[width] duration-pour"
              style={{ width: `${share * 100}%` }}
            />
          </i>
        );
      })}
    </div>
  );
}

function Cup({ order, fill }: { order: Order; fill: number }): ReactNode {
  const line = order.lines.find(({ kind }) => kind === "drink") ?? order.lines[0];
  if (!line) return null;
  const isDrink = line.kind === "drink";
  const isPartial = isDrink && fill < 1;
  return (
    <div aria-hidden="true" className={`active-order-cup ${isDrink ? "" : "active-order-food"}`}>
      <LazyItemArt
        art={line.art}
        selection={{ sizeIndex: getSizeIndex(line.art, line.sizeName), choices: line.choices }}
        animate={isDrink}
        box={isDrink ? "44 10 152 282" : "10 56 220 244"}
        {...(isPartial
          ? { shown: { fill, pour: order.status === "Preparing", pourFrom: POUR_FROM_ABOVE_SCREEN } }
          : {})}
      />
    </div>
  );
}

/** "Ready 8:40", or with the day if it is not today; "Running late" after the promised time. */
function formatHeadline({ status, eta, timeZone, clientSecret }: Order, now: Date): string {
  if (status === "Ready") return "It's ready";
  if (status === "PaymentPending" && clientSecret !== null) return "Not paid yet";
  if (status === "PaymentPending" || !eta) return "One moment";
  const isAwaited = status === "Placed" || status === "Accepted" || status === "Preparing";
  // A minute of grace, because the time is shown in whole minutes.
  if (isAwaited && now.getTime() >= Date.parse(eta.readyAt) + 60_000) return "Running late";
  return formatReadyTitle(eta.readyAt, timeZone, now);
}

function formatItems({ lines }: Order): string {
  return lines
    .map(({ itemName, quantity }) => (quantity > 1 ? `${quantity} × ${itemName}` : itemName))
    .join(", ");
}
