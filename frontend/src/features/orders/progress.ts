/** Where an order stands, as a person sees it. */
import type { Order, Status } from "./queries";

const RUNNING: ReadonlySet<Status> = new Set(["Scheduled", "Placed", "Accepted", "Preparing", "Ready"]);
const OFF: ReadonlySet<Status> = new Set(["Cancelled", "Rejected", "PaymentFailed"]);

export const isActive = ({ status }: Pick<Order, "status">): boolean => RUNNING.has(status);
/** It ended without coffee. */
export const isUnfulfilled = ({ status }: Pick<Order, "status">): boolean => OFF.has(status);
/** Cancelling is free until a store accepts. */
export const canCancel = ({ status }: Pick<Order, "status">): boolean =>
  status === "Placed" || status === "Scheduled";
/** There is somebody to tell "I'm here", and it was not told yet. */
export const canAnnounceArrival = ({ status, arrivedAt }: Pick<Order, "status" | "arrivedAt">): boolean =>
  arrivedAt === null && (status === "Accepted" || status === "Preparing" || status === "Ready");

/** When the order came into a state; undefined while it has not. */
export const reachedAt = ({ history }: Order, ...states: readonly Status[]): string | undefined =>
  history.find(({ status }) => states.includes(status))?.at;

/** How full the cup is: the making fills it from a first sip's worth to nearly full, ready is full. */
export function cupFill(order: Order, now: Date): number {
  if (order.status === "Ready" || order.status === "Completed") return 1;
  if (order.status === "Accepted") return 0.12;
  if (order.status !== "Preparing") return 0;
  const started = Date.parse(reachedAt(order, "Preparing") ?? "");
  const ready = Date.parse(order.eta?.readyAt ?? "");
  if (!(ready > started)) return 0.6;
  const share = Math.min(1, Math.max(0, (now.getTime() - started) / (ready - started)));
  // Tenths: the level rises in pours, and a clock of seconds draws nothing anew.
  return Math.round((0.25 + share * 0.65) * 20) / 20;
}

export interface Step {
  name: string;
  /** What it means now. */
  note: string;
  at: string | undefined;
  state: "done" | "now" | "ahead";
}

/** The four steps: placed, accepted, being made, ready. */
export function orderSteps(order: Order, paid: string): Step[] {
  const { status, pickupNumber } = order;
  const stage = { Accepted: 1, Preparing: 2, Ready: 3, Completed: 4 }[status as string] ?? 0;
  const state = (step: number): Step["state"] =>
    stage > step || (step === 0 && stage === 0) ? "done" : stage === step ? "now" : "ahead";
  const look = pickupNumber ? `Look for ${pickupNumber}` : "Your name is on it";
  return [
    {
      name: status === "Scheduled" ? "Scheduled" : "Order placed",
      note: paid,
      at: reachedAt(order, "Placed", "Scheduled"),
      state: "done",
    },
    {
      name: "Accepted",
      note: stage === 0 ? acceptNote(status) : "",
      at: reachedAt(order, "Accepted"),
      state: stage === 0 ? "now" : stage === 1 ? "done" : state(1),
    },
    {
      name: "Being made",
      note: stage === 2 ? madeNote(order) : "",
      at: reachedAt(order, "Preparing"),
      state: stage === 1 ? "ahead" : state(2),
    },
    {
      name: order.pickup === "curbside" ? "Ready for curbside" : "Ready for pickup",
      note: order.pickup === "curbside" ? (order.vehicle ?? "") : look,
      at: reachedAt(order, "Ready") ?? order.eta?.readyAt,
      state: stage >= 3 ? "done" : "ahead",
    },
  ];
}

const acceptNote = (status: Status): string =>
  status === "Scheduled" ? "We'll send it to the store in time" : "Waiting for the store to accept";

function madeNote({ lines }: Order): string {
  const [first] = lines;
  if (!first) return "";
  return lines.length === 1 ? first.itemName : `${first.itemName} and ${lines.length - 1} more`;
}
