/** Buys stored value: sends the request, lets the consumer authenticate the payment, and returns the purchase. */
import type { PostData } from "@/api/contract";
import { ApiError, NetworkError } from "@/api/errors";
import { deleteIdempotencyKey, getIdempotencyKey, idempotencyItem } from "@/state/idempotency";
import { authenticatePayment } from "./authenticate";

export type Purchase = PostData<"/gift-card">;

/** The bank declined, or the consumer closed its authentication. Nothing was charged. */
export class PurchaseFailedError extends Error {
  override readonly name = "PurchaseFailedError";

  constructor() {
    super("The payment didn't go through. You weren't charged.");
  }
}

/** A previous attempt with a lost response made this purchase. The repeated request charged nothing. */
export class PreviousPurchaseError extends Error {
  override readonly name = "PreviousPurchaseError";

  constructor(readonly purchase: Purchase) {
    super("a previous attempt made the purchase");
  }
}

/** For the consumer, if the outcome is unknown: a repeated purchase has the same idempotency key. */
export const TAP_AGAIN = "Tap again; you won't be charged twice.";

/** Maximum number of polls while the server processes the authenticated payment. */
const MAX_POLLS = 5;
const POLL_DELAY_MS = 1_000;
/** A purchase from longer ago is a previous one, not the one for which the consumer tapped again. */
const PREVIOUS_AFTER_MS = 5 * 60_000;

/**
 * Sends a purchase until it is paid. The fingerprint identifies the request: its key stays the same after a lost response or
 * a 5xx, so that a repeated request buys once, and is deleted when the outcome is known.
 */
export async function completePurchase(
  fingerprint: readonly (string | number)[],
  send: (idempotencyKey: string) => Promise<Purchase>,
): Promise<Purchase> {
  const isRepeated = fingerprint.join("|") in idempotencyItem.get();
  try {
    const purchase = await sendUntilPaid(() => send(getIdempotencyKey(...fingerprint)), isRepeated);
    deleteIdempotencyKey(...fingerprint);
    return purchase;
  } catch (error) {
    if (isFinal(error)) deleteIdempotencyKey(...fingerprint);
    throw error;
  }
}

async function sendUntilPaid(send: () => Promise<Purchase>, isRepeated: boolean): Promise<Purchase> {
  const startedAt = Date.now();
  const authenticated = new Set<string>();
  for (let polls = 0; ; ) {
    const purchase = await sendOnce(send, authenticated.size > 0 && polls < MAX_POLLS);
    if (purchase?.state === "Failed" || purchase?.state === "Returned") throw new PurchaseFailedError();
    if (purchase && purchase.state !== "RequiresAction") {
      const isPrevious = startedAt - Date.parse(purchase.createdAt) > PREVIOUS_AFTER_MS;
      if (isRepeated && isPrevious && authenticated.size === 0) throw new PreviousPurchaseError(purchase);
      return purchase;
    }
    if (purchase?.clientSecret && purchase.providerScript && !authenticated.has(purchase.clientSecret)) {
      authenticated.add(purchase.clientSecret);
      await authenticatePayment(purchase.clientSecret, purchase.providerScript);
    } else if (polls < MAX_POLLS) {
      polls += 1;
      await new Promise((resolve) => setTimeout(resolve, POLL_DELAY_MS));
    } else {
      throw new NetworkError("timeout exceeded");
    }
  }
}

/** After authentication, the server may still process the provider's notice: with `retryUnavailable`, a 503 is undefined. */
async function sendOnce(
  send: () => Promise<Purchase>,
  retryUnavailable: boolean,
): Promise<Purchase | undefined> {
  try {
    return await send();
  } catch (error) {
    if (retryUnavailable && error instanceof ApiError && error.status === 503) return undefined;
    throw error;
  }
}

/**
 * Returns whether the outcome is known, so that the next attempt gets a new key. A 4xx is final, except for a missing session and rate
 * limiting, which are checked before the purchase.
 */
export function isFinal(error: unknown): boolean {
  if (error instanceof PurchaseFailedError || error instanceof PreviousPurchaseError) return true;
  return error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 429;
}

/** Returns whether the purchase may have taken effect: no response, or an error of the server. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500);
}
