import { record, string } from "valibot";
import { deviceItem } from "./device-item";

/** Idempotency keys by the fingerprint of their request. */
export const idempotencyItem = deviceItem({
  key: "idempotency",
  version: 1,
  schema: record(string(), string()),
  initial: {},
});

/**
 * Returns the idempotency key of a request (specification section 9). The first call with a fingerprint creates a random
 * key; later calls return the same key until it is cleared, so that a retry after a lost response or a reload is
 * recognized. The fingerprint includes amounts: a different total is a different request.
 */
export function getIdempotencyKey(...fingerprint: readonly (string | number)[]): string {
  const name = fingerprint.join("|");
  const existing = idempotencyItem.get()[name];
  if (existing !== undefined) return existing;
  const key = crypto.randomUUID();
  idempotencyItem.set((keys) => ({ ...keys, [name]: key }));
  return key;
}

/** Deletes the key of a request with a known outcome; the next call with this fingerprint is a new request. */
export function deleteIdempotencyKey(...fingerprint: readonly (string | number)[]): void {
  const name = fingerprint.join("|");
  idempotencyItem.set(({ [name]: _known, ...others }) => others);
}

interface PaidRequest {
  payment: { walletPaymentMethodId?: string | null };
}

/**
 * Returns the fingerprint of a purchase: the call and its request. Apple Pay and Google Pay create a payment method each time that the
 * consumer confirms, which is left out, so that a repeated attempt has the key of the first one.
 */
export function purchaseFingerprint(call: string, request: PaidRequest): string[] {
  const { walletPaymentMethodId: _used, ...payment } = request.payment;
  return [call, JSON.stringify({ ...request, payment })];
}
