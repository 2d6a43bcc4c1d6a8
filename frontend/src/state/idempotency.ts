import { recordOf, text } from "@/lib/shape";
import { deviceItem } from "./device-item";

/** Keys by the fingerprint of the request they stand for. */
export const idempotencyItem = deviceItem({
  key: "idempotency",
  version: 1,
  shape: recordOf(text),
  initial: {},
});

/**
 * The idempotency key of a distinct request (specification section 9): the first call with a fingerprint makes a
 * random key, later ones get the same until it is cleared. So a repeat after a lost answer, or after a reload, is
 * recognised as the same request. Amounts belong into the fingerprint: another total is another request.
 */
export function keyFor(...fingerprint: readonly (string | number)[]): string {
  const name = fingerprint.join("|");
  const held = idempotencyItem.get()[name];
  if (held !== undefined) return held;
  const made = crypto.randomUUID();
  idempotencyItem.set((keys) => ({ ...keys, [name]: made }));
  return made;
}

/** Forgets one request's key once its outcome is known; the next call with this fingerprint is a new request. */
export function forgetKey(...fingerprint: readonly (string | number)[]): void {
  const name = fingerprint.join("|");
  idempotencyItem.set(({ [name]: _known, ...others }) => others);
}
