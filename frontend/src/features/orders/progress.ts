/** The progress of an order as shown to the consumer. */
import type { Order, Status } from "./queries";

const UNFULFILLED: ReadonlySet<Status> = new Set(["Cancelled", "Rejected", "PaymentFailed"]);

export const isUnfulfilled = ({ status }: Pick<Order, "status">): boolean => UNFULFILLED.has(status);
/** Returns whether the order waits for the consumer to authenticate the payment. */
export const needsAuthentication = ({
  status,
  clientSecret,
}: Pick<Order, "status" | "clientSecret">): boolean => status === "PaymentPending" && clientSecret !== null;
/** Consumers can cancel until the store accepts, and instead of authenticating the payment. */
export const canCancel = (order: Pick<Order, "status" | "clientSecret">): boolean =>
  order.status === "Placed" || order.status === "Scheduled" || needsAuthentication(order);
/** Returns whether "I'm here" can be sent: the store has accepted, and was not notified yet. */
export const canAnnounceArrival = ({ status, arrivedAt }: Pick<Order, "status" | "arrivedAt">): boolean =>
  arrivedAt === null && (status === "Accepted" || status === "Preparing" || status === "Ready");

/** Promised times are shown in whole minutes, so an order is on time until the end of the minute. */
const GRACE_MS = 60_000;

type Promised = Pick<Order, "status" | "eta">;

/** Returns whether the store still has to make the order. */
const isAwaited = ({ status }: Pick<Order, "status">): boolean =>
  status === "Placed" || status === "Accepted" || status === "Preparing";
/** Returns whether the promised time has passed and the order is not ready. */
export const isLate = (order: Promised, now: Date): boolean =>
  isAwaited(order) && order.eta !== null && now.getTime() >= Date.parse(order.eta.readyAt) + GRACE_MS;
type Changed = Promised & Pick<Order, "firstReadyAt" | "history">;

/** Returns the time to which the store last moved the order while it was scheduled. */
const findRescheduledTime = ({ history }: Pick<Order, "history">): string | undefined =>
  history.findLast(({ status, readyAt }) => status === "Scheduled" && readyAt !== null)?.readyAt ?? undefined;

/** Returns the promised time before any delay: the first one, or the one to which the store moved the scheduled order. */
export const findAgreedTime = (order: Pick<Order, "eta" | "firstReadyAt" | "history">): string | undefined =>
  findRescheduledTime(order) ?? order.firstReadyAt ?? order.eta?.readyAt;

/** Returns whether the store promised a later time for an order that is not ready yet. */
export const isDelayed = (order: Changed): boolean => {
  const agreed = findAgreedTime(order);
  return (
    isAwaited(order) &&
    order.eta !== null &&
    agreed !== undefined &&
    Date.parse(order.eta.readyAt) > Date.parse(agreed)
  );
};

/** Returns whether the store moved the order to another time, earlier or later, while it was scheduled. */
export const isRescheduled = (order: Changed): boolean =>
  (order.status === "Scheduled" || isAwaited(order)) &&
  findRescheduledTime(order) !== undefined &&
  !isDelayed(order);

/** Returns when the order reached one of the states. */
export const findStatusTime = ({ history }: Order, ...states: readonly Status[]): string | undefined =>
  history.find(({ status }) => states.includes(status))?.at;

/** Returns the fill level of the cup from 0 to 1. It rises while the order is being made; a ready order is 1. */
export function calculateCupFill(order: Order, now: Date): number {
  if (order.status === "Ready" || order.status === "Completed") return 1;
  if (order.status === "Accepted") return 0.12;
  if (order.status !== "Preparing") return 0;
  const started = Date.parse(findStatusTime(order, "Preparing") ?? "");
  const ready = Date.parse(order.eta?.readyAt ?? "");
  if (!(ready > started)) return 0.6;
  const share = Math.min(1, Math.max(0, (now.getTime() - started) / (ready - started)));
  // Steps of 0.05, so that the drawing does not change with every tick of the clock.
  return Math.round((0.25 + share * 0.65) * 20) / 20;
}

const STAGES: Partial<Record<Status, number>> = { Accepted: 1, Preparing: 2, Ready: 3, Completed: 4 };

export interface Step {
  name: string;
  note: string;
  at: string | undefined;
  state: "done" | "current" | "upcoming";
}

export function listOrderSteps(order: Order, paid: string): Step[] {
  const { status, pickupNumber } = order;
  const stage = STAGES[status] ?? 0;
  const state = (step: number): Step["state"] =>
    stage > step || (step === 0 && stage === 0) ? "done" : stage === step ? "current" : "upcoming";
  const pickupNote =
    status === "Completed" ? "" : pickupNumber ? `Look for ${pickupNumber}` : "Your name is on it";
  return [
    {
      name: formatFirstStep(status),
      note: paid,
      at: findStatusTime(order, "Placed", "Scheduled"),
      state: status === "PaymentPending" ? "current" : "done",
    },
    {
      name: stage === 0 ? formatPendingStep(status) : "Accepted",
      note: "",
      at: findStatusTime(order, "Accepted"),
      state:
        status === "PaymentPending" ? "upcoming" : stage === 0 ? "current" : stage === 1 ? "done" : state(1),
    },
    {
      name: "Being made",
      note: stage === 2 ? formatMakingNote(order) : "",
      at: findStatusTime(order, "Preparing"),
      state: stage === 1 ? "upcoming" : state(2),
    },
    {
      name: order.pickup === "curbside" ? "Ready for curbside" : "Ready for pickup",
      note: order.pickup === "curbside" ? (order.vehicle ?? "") : pickupNote,
      at: findStatusTime(order, "Ready") ?? (stage < 3 ? order.eta?.readyAt : undefined),
      state: stage >= 3 ? "done" : "upcoming",
    },
  ];
}

function formatFirstStep(status: Status): string {
  if (status === "PaymentPending") return "Confirming payment";
  return status === "Scheduled" ? "Scheduled" : "Order placed";
}

const formatPendingStep = (status: Status): string =>
  status === "Scheduled" ? "We'll send it to the store in time" : "Waiting for the store to accept";

function formatMakingNote({ lines }: Order): string {
  const [first] = lines;
  if (!first) return "";
  return lines.length === 1 ? first.itemName : `${first.itemName} and ${lines.length - 1} more`;
}
