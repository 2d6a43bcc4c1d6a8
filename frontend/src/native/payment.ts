import { requestFromShell } from "./bridge";

/** The consumer may take long to confirm. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Lets the consumer pay with the wallet of the native shell. Resolves to the id of the provider's payment method, or to null if the
 * consumer cancels. `amount` is in cents.
 */
export async function requestNativePayment(amount: number): Promise<string | null> {
  const reply = await requestFromShell("payment", { amount }, TIMEOUT_MS);
  return reply?.paymentMethodId || null;
}
