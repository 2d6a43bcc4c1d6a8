/** Finds orders that the store will probably not have ready at the promised time. */
import { findAgreedTime } from "./progress";
import type { Order } from "./queries";

/** Some stores start an order a moment later than planned and are still on time. */
const GRACE_MS = 2 * 60_000;

type Planned = Pick<Order, "status" | "eta" | "startAt" | "firstReadyAt" | "history">;

/** Returns whether the store has not started an order that it had to start in order to be on time. */
export function isBehind(order: Planned, now: Date): boolean {
  if (order.status !== "Placed" && order.status !== "Accepted") return false;
  const latestStart = findLatestStart(order);
  return latestStart !== undefined && now.getTime() >= latestStart + GRACE_MS;
}

/**
 * Returns when the store has to start in order to be ready at the promised time. A delay changes only the promised time, and a
 * move of a scheduled order changes both times, so that the make time is that from the start to the time before any delay.
 */
function findLatestStart(order: Planned): number | undefined {
  const { eta, startAt } = order;
  if (!eta || !startAt) return undefined;
  const [start, readyAt] = [Date.parse(startAt), Date.parse(eta.readyAt)];
  const makeTimes = [readyAt, Date.parse(findAgreedTime(order) ?? eta.readyAt)]
    .map((promise) => promise - start)
    .filter((time) => time > 0);
  return makeTimes.length > 0 ? readyAt - Math.min(...makeTimes) : undefined;
}
