import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { formatISO } from "date-fns/formatISO";
import { write } from "@/api/client";
import { deviceZone } from "@/lib/time";
import { formatVehicle, parseVehicle } from "@/lib/vehicle";
import { isInNativeShell } from "@/native/shell";
import { report } from "@/shell/error-reports";
import { modals } from "@/shell/modals";
import { sessionQuery } from "@/shell/queries";
import { device } from "@/state/device";
import { hasBrowserPush, renewSubscription } from "./browser-push";
import { setPushOwner } from "./push-owner";
import { type Settings, settingsQuery } from "./queries";

const DAY_MS = 86_400_000;
const PAUSE_DAYS = 30;

/**
 * Offers notifications on the screen of the order that the consumer has just placed, until the consumer accepts, and again after 30
 * days at the earliest. The sheet comes first, because the device shows its own question only once.
 */
export function offerNotifications(router: AnyRouter, queryClient: QueryClient): () => void {
  const check = async () => {
    const orderId = findNewOrder(router);
    if (!orderId || !isDue(new Date()) || modals.isOpen()) return;
    const key = isInNativeShell() ? "" : await findPushKey(queryClient);
    // Both may have changed while the settings loaded.
    if (key === null || findNewOrder(router) !== orderId || modals.isOpen()) return;
    device.lastPushRequest.set(formatISO(new Date(), { representation: "date" }));
    void modals.load("push-request", () => import("./PushRequestSheet"), { orderId, pushKey: key });
  };
  const start = () => void check().catch(report);
  start();
  return router.subscribe("onResolved", start);
}

/** Returns the id of the order that the consumer has just placed if its screen is open. */
function findNewOrder(router: AnyRouter): string | undefined {
  const orderId = device.lastOrder.get()?.orderId;
  return router.state.resolvedLocation?.pathname === `/orders/${orderId}` ? orderId : undefined;
}

/** Returns the server's key, or null if this browser cannot get notifications, or the consumer answered its question before. */
async function findPushKey(queryClient: QueryClient): Promise<string | null> {
  if (!hasBrowserPush() || Notification.permission !== "default") return null;
  const { notifications, pushKey } = await queryClient.ensureQueryData(settingsQuery);
  return notifications.push && pushKey ? pushKey : null;
}

/** Returns whether the consumer may be asked. */
export function isDue(now: Date): boolean {
  if (device.pushRequestAccepted.get()) return false;
  const last = device.lastPushRequest.get();
  return last === null || !(now.getTime() - Date.parse(last) < PAUSE_DAYS * DAY_MS);
}

/**
 * After each sign-in: registers the browser for the new session if it has permission, reports the time zone, which determines the
 * consumer's quiet hours, and takes over the vehicle from the consumer's other devices. After a sign-out or the sign-in of another
 * consumer the browser shows no more messages of the previous one. Returns a function that ends it.
 */
export function followSession(queryClient: QueryClient): () => void {
  let current = "";
  let ownerIsSet = Promise.resolve();
  const update = () => {
    const id = queryClient.getQueryData(sessionQuery.queryKey)?.id ?? "";
    if (id === current) return;
    current = id;
    // One after the other: each change depends on the owner that the previous one stored.
    ownerIsSet = ownerIsSet.then(() => setPushOwner(id)).catch(report);
    void ownerIsSet.then(() => (id && id === current ? renew(queryClient) : undefined)).catch(report);
  };
  update();
  return queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionQuery.queryKey[0]) update();
  });
}

async function renew(queryClient: QueryClient): Promise<void> {
  const settings = await queryClient.ensureQueryData(settingsQuery);
  const { notifications, pushKey } = settings;
  await saveDeviceSettings(settings);
  if (notifications.push && pushKey && hasBrowserPush()) await renewSubscription(pushKey);
}

async function saveDeviceSettings({ timeZone, vehicle }: Settings): Promise<void> {
  const zone = deviceZone();
  const own = formatVehicle(device.vehicle.get());
  if (!own) device.vehicle.set(parseVehicle(vehicle));
  const changes = {
    ...(zone && zone !== timeZone ? { timeZone: zone } : {}),
    ...(own && !vehicle ? { vehicle: own } : {}),
  };
  if (Object.keys(changes).length > 0) await write("/user/save-settings", changes);
}
