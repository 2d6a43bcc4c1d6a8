/** Arranges the orders of a store on the board of the console. */
import { customChoices, formatChanges, formatLine } from "@/lib/format-line";
import type { StoreOrder } from "./queries";

/** What the staff does next with an order. */
export type Step = "accept" | "start" | "ready" | "complete";

export interface Board {
  /** The order to make now: the one in the making that was to be started first, otherwise the next one. */
  now: StoreOrder | undefined;
  /** The other orders to make, in make order. */
  next: StoreOrder[];
  /** Ready orders: consumers who have arrived first, then those that wait the longest. */
  shelf: StoreOrder[];
}

const STEPS: Partial<Record<StoreOrder["status"], Step>> = {
  Placed: "accept",
  Accepted: "start",
  Preparing: "ready",
  Ready: "complete",
};

export const nextStep = ({ status }: Pick<StoreOrder, "status">): Step | undefined => STEPS[status];

/** Returns whether the store can reject an order: until it is ready. */
export const isRejectable = ({ status }: Pick<StoreOrder, "status">): boolean =>
  status === "Scheduled" || isToMake(status);

export const isOnBoard = (order: Pick<StoreOrder, "status">): boolean => nextStep(order) !== undefined;

export function arrangeBoard(orders: readonly StoreOrder[]): Board {
  const toMake = orders.filter(({ status }) => isToMake(status)).sort(byMakeOrder);
  const now = toMake.find(({ status }) => status === "Preparing") ?? toMake[0];
  const shelf = orders.filter(({ status }) => status === "Ready").sort(byArrival);
  return { now, next: toMake.filter((order) => order !== now), shelf };
}

function isToMake(status: StoreOrder["status"]): boolean {
  return status === "Placed" || status === "Accepted" || status === "Preparing";
}

/** When the store has to start making an order, in milliseconds. */
export function startTime({ startAt, eta, placedAt }: StoreOrder): number {
  return Date.parse(startAt ?? eta?.readyAt ?? placedAt ?? "") || 0;
}

function byMakeOrder(a: StoreOrder, b: StoreOrder): number {
  return startTime(a) - startTime(b) || a.orderId.localeCompare(b.orderId);
}

function byArrival(a: StoreOrder, b: StoreOrder): number {
  const [arrivedA, arrivedB] = [arrivalTime(a), arrivalTime(b)];
  if (arrivedA !== arrivedB) return arrivedA - arrivedB;
  return Date.parse(readySince(a)) - Date.parse(readySince(b));
}

/** When the consumer arrived, in milliseconds; infinite if they have not. */
function arrivalTime({ arrivedAt }: StoreOrder): number {
  return arrivedAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(arrivedAt);
}

/** When an order became ready. */
export function readySince({ history, eta }: StoreOrder): string {
  return history.findLast(({ status }) => status === "Ready")?.at ?? eta?.readyAt ?? "";
}

const DELAYS_MINUTES = [5, 10, 15, 20];

/** The later times that the staff can promise: after the promised time, or after now if that has passed. */
export function delayTimes({ eta }: Pick<StoreOrder, "eta">, now: Date): string[] {
  const promised = Math.max(Date.parse(eta?.readyAt ?? "") || 0, now.getTime());
  const minute = Math.ceil(promised / 60_000);
  return DELAYS_MINUTES.map((delay) => new Date((minute + delay) * 60_000).toISOString());
}

/** Formats the time to the promise: "6 min left", "Due now", "3 min late". */
export function formatTimeLeft(readyAt: string, now: Date): string {
  const minutes = Math.ceil((Date.parse(readyAt) - now.getTime()) / 60_000);
  if (minutes > 0) return `${minutes} min left`;
  return minutes === 0 ? "Due now" : `${-minutes} min late`;
}

export const isLate = (readyAt: string, now: Date): boolean => Date.parse(readyAt) <= now.getTime() - 60_000;

/** Returns the share of the time before the start that has passed, 6 to 100 percent. Ten minutes are the whole. */
export function urgency(order: StoreOrder, now: Date): number {
  const minutes = (startTime(order) - now.getTime()) / 60_000;
  return Math.round(Math.max(6, Math.min(100, 100 - minutes * 10)));
}

/** Who picks an order up and how: "Maya, walking over". */
export function formatGuest({ pickupName, pickup, arrivedAt, vehicle }: StoreOrder): string {
  const name = pickupName ?? "Guest";
  if (pickup === "curbside") {
    const car = vehicle ? `, ${vehicle}` : "";
    return arrivedAt ? `${name}, at the curb${car}` : `${name}, curbside${car}`;
  }
  return arrivedAt ? `${name}, at the counter` : name;
}

/** The number that is called out. */
export const orderNumber = ({ pickupNumber }: StoreOrder): string => pickupNumber ?? "Order";

type Line = StoreOrder["lines"][number];

/** A line as the barista makes it, one by one: the size and what differs from the recipe. */
export function buildSteps({ sizeName, choices, note }: Line): string[] {
  const steps = formatChanges([{ name: sizeName, quantity: 1 }, ...customChoices(choices)]);
  return [...steps, note && `“${note}”`].filter(Boolean);
}

/** Formats how a line is made, in one sentence as in the order of the consumer: "Large, oat milk". */
export const formatRecipe = ({ sizeName, choices, note }: Line): string =>
  formatLine(sizeName, customChoices(choices), note);

/** Formats a line in one sentence, with the name of the item first: "Latte, large, oat milk". */
export const formatLineItem = ({ itemName, sizeName, choices, note }: Line): string =>
  formatLine(itemName, [{ name: sizeName, quantity: 1 }, ...customChoices(choices)], note);
