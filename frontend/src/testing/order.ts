import type { GetData } from "@/api/contract";
import type { StoreOrder } from "@/features/console/queries";
import type { Order, Status } from "@/features/orders/queries";
import { cart, quote } from "./cart";
import { mockGet } from "./server";

const LIFECYCLE: readonly Status[] = ["Placed", "Accepted", "Preparing", "Ready", "Completed"];
const START = Date.parse("2026-11-20T16:26:00Z");

/** Creates an order in this state from the test cart, with one minute between the steps. */
export function makeOrder(status: Status, overrides: Partial<Order> = {}): Order {
  const steps = LIFECYCLE.includes(status)
    ? LIFECYCLE.slice(0, LIFECYCLE.indexOf(status) + 1)
    : (["Placed", status] as const);
  return {
    orderId: "order-1",
    cartId: "cart-1",
    status,
    version: steps.length,
    storeId: cart.storeId,
    storeName: cart.storeName,
    storeAddress: cart.storeAddress,
    timeZone: cart.timeZone,
    lines: quote.lines,
    subtotal: quote.subtotal,
    discount: quote.discount,
    tax: quote.tax,
    taxRatePpm: quote.taxRatePpm,
    tip: quote.tip,
    total: quote.total,
    points: quote.points,
    pickup: "counter",
    pickupName: "Maya",
    pickupNumber: "K 47",
    eta: quote.eta,
    placedAt: "2026-11-20T16:26:00Z",
    createdAt: "2026-11-20T16:26:00Z",
    startAt: null,
    arrivedAt: null,
    firstReadyAt: quote.eta?.readyAt ?? null,
    madeAt: null,
    delayReason: null,
    isRated: false,
    vehicle: null,
    promoCode: null,
    reason: null,
    message: null,
    clientSecret: null,
    isCharged: steps.some((step) => step === "Accepted"),
    paymentMethod: { type: "card", paymentMethodId: "pay_visa" },
    payments: [],
    history: steps.map((step, minutes) => ({
      status: step,
      at: new Date(START + minutes * 60_000).toISOString(),
      by: "store",
      readyAt: null,
    })),
    ...overrides,
  };
}

/** As {@link makeOrder}, as the order's store sees it. */
export const makeStoreOrder = (status: Status, overrides: Partial<StoreOrder> = {}): StoreOrder => ({
  ...makeOrder(status),
  unpaid: null,
  ...overrides,
});

/** Responds to the request for an order. */
export const mockOrderStatus = (
  order: Order,
  providerScript: GetData<"/order/status">["providerScript"] = null,
) => mockGet("/order/status", { ...order, providerScript });
