/**
 * An attempt to place an order, and when two attempts are the same (contract, `idempotencyKey`): the key is new
 * whenever cart, payment, tip or time changes and after a final refusal, and the same after a timeout or a 5xx. A
 * repeat says exactly what the first said, even if a later quote says something else by now: only then does the
 * server know it for a repeat.
 */

import { integer, nullable, number, object, pipe, string } from "valibot";
import type { PostBody } from "@/api/contract";
import { type Cart, contractCart } from "@/state/cart";
import { deviceItem } from "@/state/device-item";
import { forgetKey, idempotencyItem, keyFor } from "@/state/idempotency";
import type { Quote } from "./queries";

export type PlaceBody = PostBody<"/order/create">;

/** What the person decides on. */
export interface Decision {
  cart: Cart;
  payment: PlaceBody["paymentMethod"];
  /** For curbside; empty otherwise. */
  vehicle: string;
  /** What to call out. */
  pickupName: string;
}

/** What the last attempt agreed to; on the device, as a reload must not make a second order of it. */
export const attemptItem = deviceItem({
  key: "attempt",
  version: 1,
  schema: nullable(
    object({
      name: string(),
      key: string(),
      expectedTotal: pipe(number(), integer()),
      expectedReadyAt: string(),
    }),
  ),
  initial: null,
});

/** The request for a decision: the one under way, or a new one that agrees to this quote. */
export function beginAttempt(decision: Decision, quote: Quote): PlaceBody {
  const name = nameOf(decision);
  const held = attemptItem.get();
  if (held && held.name !== name) forgetKey("place", held.name);
  const key = keyFor("place", name);
  const same = held?.key === key ? held : undefined;
  const expectedTotal = same?.expectedTotal ?? quote.total.currencyAmount;
  const expectedReadyAt = same?.expectedReadyAt ?? quote.eta?.readyAt ?? "";
  attemptItem.set({ name, key, expectedTotal, expectedReadyAt });
  return {
    cart: contractCart(decision.cart),
    paymentMethod: decision.payment,
    expectedTotal: { ...quote.total, currencyAmount: expectedTotal },
    expectedReadyAt,
    pickupName: decision.pickupName || null,
    vehicle: decision.vehicle || null,
    idempotencyKey: key,
  };
}

/** The outcome is known: what comes next is another request. */
export function endAttempt(): void {
  const held = attemptItem.get();
  if (held) forgetKey("place", held.name);
  attemptItem.clear();
}

/** Whether this very decision was sent before and nobody knows what became of it. */
export function isOpen(decision: Decision): boolean {
  const held = attemptItem.get();
  if (held?.name !== nameOf(decision)) return false;
  return Object.values(idempotencyItem.get()).includes(held.key);
}

function nameOf({ cart, payment, vehicle, pickupName }: Decision): string {
  return JSON.stringify([contractCart(cart), payment.type, payment.paymentMethodId, vehicle, pickupName]);
}
