import { nullable, object, oneOf, type Shape, text, truth, whole } from "@/lib/shape";
import { cartItem } from "./cart";
import { deviceItem } from "./device-item";
import { idempotencyItem } from "./idempotency";

const maybe = <Value>(key: string, shape: Shape<Value>) =>
  deviceItem<Value | null>({ key, version: 1, shape: nullable(shape), initial: null });

const flag = (key: string) => deviceItem({ key, version: 1, shape: truth, initial: false });

/**
 * Everything the device remembers (specification section 3, "Local storage items"), but for what has a file of its
 * own. Dates are calendar days of the device, `2026-11-20`; moments are RFC 3339.
 */
export const device = {
  cart: cartItem,
  idempotency: idempotencyItem,
  /** What was chosen at checkout: the payment method, and who waits outside. */
  checkout: maybe("checkout", object({ paymentId: text, paymentType: text })),
  /** A copy of the profile for the start of the app; the server's is the truth. */
  user: maybe(
    "user",
    object({
      id: text,
      email: text,
      firstName: text,
      lastName: text,
      phone: text,
      shareCode: text,
      points: nullable(whole()),
    }),
  ),
  lastOrder: maybe("last-order", object({ orderId: text, ts: text, storeName: text })),
  preferredPaymentMethod: maybe("preferred-payment-method", text),
  vehicle: maybe("vehicle", object({ make: text, color: text, plate: text })),
  bookmark: maybe("bookmark", object({ url: text, name: text })),
  /** What the person said to being located: "asked" was not answered yet. */
  locationServices: maybe("location-services", oneOf("granted", "denied", "asked")),
  theme: deviceItem({
    key: "theme",
    version: 1,
    shape: oneOf("system", "light", "dark"),
    initial: "system",
  }),
  sourceDevice: maybe("source-device", oneOf("ios", "android", "mobile-web", "desktop")),
  deviceVersion: deviceItem({ key: "device-version", version: 1, shape: text, initial: "3.1.3" }),
  mockData: flag("mock-data"),
  /** The day it was last set, and whether it shows. */
  rewardIndicator: maybe("reward-indicator", object({ day: text, shows: truth })),
  reviewRequested: flag("review-requested"),
  lastNotifiedOffer: maybe("last-notified-offer", text),
  lastPushRequest: maybe("last-push-request", text),
  pushRequestAccepted: flag("push-request-accepted"),
  lastSmartBanner: maybe("last-smart-banner", text),
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
