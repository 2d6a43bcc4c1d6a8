/**
 * An attempt to place an order. Its idempotency key changes when cart, payment, tip or time changes and after a final
 * error, and stays the same after a timeout or a 5xx. A repeated attempt sends the same body as the first one, even if
 * the quote has changed since, so that the server recognizes it.
 */
import type { PostBody } from "@/api/contract";
import { attemptItem } from "@/state/attempt";
import type { Cart } from "@/state/cart";
import { toContractCart } from "@/state/contract-cart";
import { deleteIdempotencyKey, getIdempotencyKey, idempotencyItem } from "@/state/idempotency";
import type { Quote } from "./queries";

export type PlaceOrderRequest = PostBody<"/order/create">;

/** What the consumer selected at checkout. */
export interface OrderDraft {
  cart: Cart;
  payment: PlaceOrderRequest["paymentMethod"];
  /** Stored value that pays first; the payment method pays the rest. */
  storedValue?: NonNullable<PlaceOrderRequest["storedValue"]>;
  /** For curbside pickup; empty otherwise. */
  vehicle: string;
  pickupName: string;
}

/** Returns the request of the current attempt for this draft, or starts a new attempt with this quote. */
export function beginAttempt(draft: OrderDraft, quote: Quote): PlaceOrderRequest {
  const name = createFingerprint(draft);
  const current = attemptItem.get();
  if (current && current.name !== name) deleteIdempotencyKey("place", current.name);
  const key = getIdempotencyKey("place", name);
  const repeated = current?.key === key ? current : undefined;
  const expectedTotal = repeated?.expectedTotal ?? quote.total.currencyAmount;
  const expectedReadyAt = repeated?.expectedReadyAt ?? quote.eta?.readyAt ?? "";
  const walletPaymentMethodId = repeated?.walletPaymentMethodId ?? draft.payment.walletPaymentMethodId;
  const wallet = walletPaymentMethodId ? { walletPaymentMethodId } : {};
  attemptItem.set({ name, key, expectedTotal, expectedReadyAt, ...wallet });
  return {
    cart: toContractCart(draft.cart),
    paymentMethod: { ...draft.payment, ...wallet },
    storedValue: draft.storedValue ?? null,
    expectedTotal: { ...quote.total, currencyAmount: expectedTotal },
    expectedReadyAt,
    pickupName: draft.pickupName || null,
    vehicle: draft.vehicle || null,
    idempotencyKey: key,
  };
}

/** Ends the attempt when its outcome is known. The next attempt gets a new key. */
export function endAttempt(): void {
  const current = attemptItem.get();
  if (current) deleteIdempotencyKey("place", current.name);
  attemptItem.clear();
}

/** Returns whether this draft was sent and its outcome is unknown. */
export function isOutcomeUnknown(draft: OrderDraft): boolean {
  const current = attemptItem.get();
  if (current?.name !== createFingerprint(draft)) return false;
  return Object.values(idempotencyItem.get()).includes(current.key);
}

function createFingerprint({ cart, payment, storedValue, vehicle, pickupName }: OrderDraft): string {
  const parts = [toContractCart(cart), payment.type, payment.paymentMethodId, vehicle, pickupName];
  return JSON.stringify(storedValue ? [...parts, storedValue] : parts);
}
