import {
  boolean,
  type GenericSchema,
  integer,
  nullable,
  number,
  object,
  optional,
  picklist,
  pipe,
  string,
} from "valibot";
import { attemptItem } from "./attempt";
import { cartItem } from "./cart";
import { deviceItem } from "./device-item";
import { idempotencyItem } from "./idempotency";
import { invitationItem } from "./invitation";
import { selectedCard } from "./selected-card";

const optionalItem = <Value>(key: string, schema: GenericSchema<unknown, Value>) =>
  deviceItem<Value | null>({ key, version: 1, schema: nullable(schema), initial: null });

const flag = (key: string) => deviceItem({ key, version: 1, schema: boolean(), initial: false });

/**
 * The items in local storage (specification section 3, "Local storage items"). Dates are calendar days of the device,
 * `2026-11-20`; instants are RFC 3339.
 */
export const device = {
  cart: cartItem,
  idempotency: idempotencyItem,
  /** The payment method chosen at checkout, and the card for the rest of the total. */
  checkout: optionalItem(
    "checkout",
    object({ paymentId: string(), paymentType: string(), restPaymentId: optional(string()) }),
  ),
  /** A copy of the profile for the start of the app; the server has the current one. */
  user: optionalItem(
    "user",
    object({
      id: string(),
      email: string(),
      firstName: string(),
      lastName: string(),
      phone: string(),
      shareCode: string(),
      points: nullable(pipe(number(), integer())),
    }),
  ),
  /** The consumer who last signed in. Survives a sign-out, so that the next sign-in shows whether it is another one. */
  owner: optionalItem("owner", string()),
  /** Set from a sign-out until the server has processed it. No call of the app has a session then, except those that sign in or out. */
  signOutPending: flag("sign-out-pending"),
  signedOutAt: optionalItem("signed-out-at", string()),
  lastOrder: optionalItem(
    "last-order",
    object({ orderId: string(), ts: string(), storeName: string(), cartId: optional(string()) }),
  ),
  preferredPaymentMethod: optionalItem("preferred-payment-method", string()),
  vehicle: optionalItem("vehicle", object({ make: string(), color: string(), plate: string() })),
  bookmark: optionalItem("bookmark", object({ url: string(), name: string() })),
  /** The answer to the location request; "asked": not answered yet. */
  locationServices: optionalItem("location-services", picklist(["granted", "denied", "asked"])),
  theme: deviceItem({
    key: "theme",
    version: 1,
    schema: picklist(["system", "light", "dark"]),
    initial: "system",
  }),
  sourceDevice: optionalItem("source-device", picklist(["ios", "android", "mobile-web", "desktop"])),
  deviceVersion: deviceItem({ key: "device-version", version: 1, schema: string(), initial: "3.1.3" }),
  /** The day that testers see instead of today, from `?overrideDay=`. The server ignores it in production. */
  mockData: optionalItem("mock-data", object({ day: string() })),
  /** The day it was last set, and whether it is visible. */
  rewardIndicator: optionalItem("reward-indicator", object({ day: string(), shows: boolean() })),
  reviewRequested: flag("review-requested"),
  lastNotifiedOffer: optionalItem("last-notified-offer", string()),
  lastPushRequest: optionalItem("last-push-request", string()),
  pushRequestAccepted: flag("push-request-accepted"),
  lastSmartBanner: optionalItem("last-smart-banner", string()),
  showedPinGuide: flag("showed-pin-guide"),
  showedUsualItemGuide: flag("showed-usual-item-guide"),
  /** Whether the store console plays no sound for new orders. */
  consoleMuted: flag("console-muted"),
};

/** Clears the items of the consumer and keeps those of the device (specification section 9). */
export function clearOnLogout(): void {
  const { cart, checkout, idempotency, user, lastOrder, rewardIndicator, lastNotifiedOffer, showedPinGuide } =
    device;
  for (const item of [
    cart,
    checkout,
    idempotency,
    user,
    lastOrder,
    rewardIndicator,
    lastNotifiedOffer,
    showedPinGuide,
    attemptItem,
    invitationItem,
  ]) {
    item.clear();
  }
  selectedCard.set(null);
}

/**
 * Stores a copy of the signed-in consumer's profile. If the device was used by another consumer, their items are cleared
 * first, and it returns true. After a sign-out only the items that it keeps are cleared: a cart that was started since then
 * belongs to the consumer who signs in.
 */
export function rememberConsumer(profile: NonNullable<ReturnType<typeof device.user.get>>): boolean {
  const signedIn = device.user.get();
  if (signedIn !== null && signedIn.id !== profile.id) clearOnLogout();
  const owner = device.owner.get();
  const isOther = owner !== null && owner !== profile.id;
  if (isOther) {
    device.preferredPaymentMethod.clear();
    device.vehicle.clear();
    device.bookmark.clear();
    device.reviewRequested.clear();
    device.showedUsualItemGuide.clear();
  }
  device.owner.set(profile.id);
  device.user.set(profile);
  return isOther;
}
