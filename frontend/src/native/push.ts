import type { AnyRouter } from "@tanstack/react-router";
import { formatISO } from "date-fns/formatISO";
import { modals } from "@/shell/modals";
import { device } from "@/state/device";

const DAY_MS = 86_400_000;
const PAUSE_DAYS = 30;

/**
 * Offers notifications on the screen of the order that the consumer has just placed, until the consumer accepts, and again after 30
 * days at the earliest. The sheet asks first: the device shows its own question only once.
 */
export function offerNotifications(router: AnyRouter): () => void {
  const check = () => {
    const lastOrder = device.lastOrder.get();
    if (!lastOrder || router.state.resolvedLocation?.pathname !== `/orders/${lastOrder.orderId}`) return;
    if (!isDue(new Date()) || modals.isOpen()) return;
    device.lastPushRequest.set(formatISO(new Date(), { representation: "date" }));
    void modals.load("push-request", () => import("./PushRequestSheet"), {});
  };
  check();
  return router.subscribe("onResolved", check);
}

/** Returns whether the consumer may be asked. */
export function isDue(now: Date): boolean {
  if (device.pushRequestAccepted.get()) return false;
  const last = device.lastPushRequest.get();
  return last === null || !(now.getTime() - Date.parse(last) < PAUSE_DAYS * DAY_MS);
}
