import { isActive } from "@/lib/order-status";
import type { Order } from "./queries";

/** While the live stream is not connected, or while a payment is being confirmed. */
export const POLL_INTERVAL_MS = 4_000;
/** While an order is later than promised: the stream may have missed a change. */
export const LATE_POLL_INTERVAL_MS = 15_000;
const MAX_POLL_INTERVAL_MS = 60 * 60_000;

type PolledOrder = Pick<Order, "status" | "eta">;

/**
 * Returns when to fetch an order again, or false if it cannot change. With a connected stream the first poll is at the
 * promised time: an order that should be ready by then has either changed or is late.
 */
export function getPollInterval(order: PolledOrder | undefined, isLive: boolean): number | false {
  if (!order || !isActive(order)) return false;
  if (!isLive || order.status === "PaymentPending") return POLL_INTERVAL_MS;
  const untilPromised = Date.parse(order.eta?.readyAt ?? "") - Date.now();
  return untilPromised > LATE_POLL_INTERVAL_MS
    ? Math.min(untilPromised, MAX_POLL_INTERVAL_MS)
    : LATE_POLL_INTERVAL_MS;
}

/** Returns when to fetch a list of orders again: the shortest interval of its orders. */
export function getListPollInterval(orders: readonly PolledOrder[], isLive: boolean): number | false {
  const intervals = orders
    .map((order) => getPollInterval(order, isLive))
    .filter((interval) => interval !== false);
  return intervals.length > 0 && Math.min(...intervals);
}
