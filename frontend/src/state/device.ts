import * as z from "zod/mini";
import { cartItem } from "./cart";
import { deviceItem } from "./device-item";
import { idempotencyItem } from "./idempotency";

const maybe = <Value>(key: string, schema: z.ZodMiniType<Value>) =>
  deviceItem<Value | null>({ key, version: 1, schema: z.nullable(schema), initial: null });

const flag = (key: string) => deviceItem({ key, version: 1, schema: z.boolean(), initial: false });

/**
 * Everything the device remembers (specification section 3, "Local storage items"), but for what has a file of its
 * own. Dates are calendar days of the device, `2026-11-20`; moments are RFC 3339.
 */
export const device = {
  cart: cartItem,
  idempotency: idempotencyItem,
  /** What was chosen at checkout: the payment method, and who waits outside. */
  checkout: maybe("checkout", z.object({ paymentId: z.string(), paymentType: z.string() })),
  /** A copy of the profile for the start of the app; the server's is the truth. */
  user: maybe(
    "user",
    z.object({
      id: z.string(),
      email: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      phone: z.string(),
      shareCode: z.string(),
      points: z.nullable(z.int()),
    }),
  ),
  lastOrder: maybe("last-order", z.object({ orderId: z.string(), ts: z.string(), storeName: z.string() })),
  preferredPaymentMethod: maybe("preferred-payment-method", z.string()),
  vehicle: maybe("vehicle", z.object({ make: z.string(), color: z.string(), plate: z.string() })),
  bookmark: maybe("bookmark", z.object({ url: z.string(), name: z.string() })),
  /** What the person said to being located: "asked" was not answered yet. */
  locationServices: maybe("location-services", z.enum(["granted", "denied", "asked"])),
  theme: deviceItem({
    key: "theme",
    version: 1,
    schema: z.enum(["system", "light", "dark"]),
    initial: "system",
  }),
  sourceDevice: maybe("source-device", z.enum(["ios", "android", "mobile-web", "desktop"])),
  deviceVersion: deviceItem({ key: "device-version", version: 1, schema: z.string(), initial: "3.1.3" }),
  mockData: flag("mock-data"),
  /** The day it was last set, and whether it shows. */
  rewardIndicator: maybe("reward-indicator", z.object({ day: z.string(), shows: z.boolean() })),
  reviewRequested: flag("review-requested"),
  lastNotifiedOffer: maybe("last-notified-offer", z.string()),
  lastPushRequest: maybe("last-push-request", z.string()),
  pushRequestAccepted: flag("push-request-accepted"),
  lastSmartBanner: maybe("last-smart-banner", z.string()),
  showedPinGuide: flag("showed-pin-guide"),
  showedUsualItemGuide: flag("showed-usual-item-guide"),
};

/** Forgets what belongs to the person rather than the device: exactly the list of specification section 9. */
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
  ]) {
    item.clear();
  }
}
