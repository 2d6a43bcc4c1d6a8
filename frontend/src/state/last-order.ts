import { device } from "./device";

/** The reminder comes at least one hour after the order (specification section 4). */
const REMINDER_AFTER_MS = 3_600_000;

export interface PromisedOrder {
  orderId: string;
  eta: { readyAt: string; scheduled: boolean } | null;
  firstReadyAt: string | null;
  placedAt: string | null;
  createdAt: string | null;
}

/**
 * Returns the time from which the reminder to rate an order counts: when it was placed, or the promised time of a scheduled order
 * and of one whose promised time the store changed.
 */
export function getReminderStart(order: PromisedOrder): string {
  return findPromisedStart(order) ?? order.placedAt ?? order.createdAt ?? new Date().toISOString();
}

/** Returns whether the reminder that counts from this time is due. */
export const isReminderDue = (start: string): boolean => Date.now() >= Date.parse(start) + REMINDER_AFTER_MS;

/** Moves the reminder of the last order to its current promised time. Does nothing for another order. */
export function updateReminder(order: PromisedOrder): void {
  const last = device.lastOrder.get();
  const ts = findPromisedStart(order);
  if (ts && last?.orderId === order.orderId && last.ts !== ts) device.lastOrder.set({ ...last, ts });
}

function findPromisedStart({ eta, firstReadyAt }: PromisedOrder): string | undefined {
  if (!eta) return undefined;
  const isChanged = firstReadyAt !== null && eta.readyAt !== firstReadyAt;
  return eta.scheduled || isChanged ? eta.readyAt : undefined;
}
