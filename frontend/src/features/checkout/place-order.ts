/** Places an order: sends the request, lets the consumer authenticate the payment, and returns the outcome. */
import { read, write } from "@/api/client";
import type { GetData, PostData } from "@/api/contract";
import { ApiError, NetworkError } from "@/api/errors";
import { isActive } from "@/lib/order-status";
import { authenticatePayment } from "@/provider/authenticate";
import { endAttempt, type PlaceOrderRequest } from "./attempt";
import type { Quote } from "./queries";

type Order = GetData<"/order/active-orders">["orders"][number];
type PlacedOrder = PostData<"/order/create">;

export type Outcome =
  /** `isRepeated`: another attempt, maybe of another tab, placed the order of this cart. */
  | { kind: "placed"; order: Order; isRepeated: boolean }
  /** An order of this cart waits for the consumer to authenticate its payment. */
  | { kind: "authentication_pending"; order: Order }
  /** The order of this cart has ended. As a new cart it can be ordered again. */
  | { kind: "order_ended"; order: Order }
  /** Total or promised time changed. The quote is null if the server sent none. */
  | { kind: "quote_changed"; reason: "PRICE_CHANGED" | "ETA_CHANGED"; quote: Quote | null }
  /** A final error. The cart is unchanged. */
  | { kind: "rejected"; error: ApiError }
  /** A repeated request with the same key places the order at most once. */
  | { kind: "unknown"; error: unknown };

/** Maximum number of polls while the server still processes the order. */
const MAX_POLLS = 5;
const POLL_DELAY_MS = 1_000;
/** A response with an order that was placed longer ago was stored. */
const STORED_AFTER_MS = 5 * 60_000;
/** Number of past orders among which the order of a cart is searched: the maximum of a request. */
const HISTORY_SIZE = 100;

/**
 * Sends the request. Never throws for responses of the server: each one is an outcome. `isRepeated`: an attempt with the same key was sent
 * before.
 */
export async function placeOrder(request: PlaceOrderRequest, isRepeated: boolean): Promise<Outcome> {
  try {
    return await sendUntilSettled(request, isRepeated);
  } catch (error) {
    const outcome = toOutcome(error);
    if (outcome.kind !== "rejected" || outcome.error.reason !== "CART_ORDERED") return outcome;
    return (await findOrderOfCart(request.cart.cartId)) ?? outcome;
  }
}

async function sendUntilSettled(request: PlaceOrderRequest, isRepeated: boolean): Promise<Outcome> {
  const authenticated = new Set<string>();
  for (let polls = 0; ; ) {
    const order = await send(request, authenticated.size > 0 && polls < MAX_POLLS);
    if (order && order.status !== "PaymentPending") {
      endAttempt();
      const found = isRepeated && isStored(order) && (await findOrderOfCart(request.cart.cartId));
      return found || { kind: "placed", order, isRepeated: false };
    }
    if (order?.clientSecret && order.providerScript && !authenticated.has(order.clientSecret)) {
      authenticated.add(order.clientSecret);
      await authenticatePayment(order.clientSecret, order.providerScript);
    } else if (polls < MAX_POLLS) {
      polls += 1;
      await new Promise((resolve) => setTimeout(resolve, POLL_DELAY_MS));
    } else {
      return { kind: "unknown", error: new NetworkError("timeout exceeded") };
    }
  }
}

/**
 * Sends the request. After authentication the provider notifies the server as well; while the server processes that
 * webhook, this request gets a 503. Returns undefined then, if `retryUnavailable`.
 */
async function send(request: PlaceOrderRequest, retryUnavailable: boolean): Promise<PlacedOrder | undefined> {
  try {
    return await write("/order/create", request);
  } catch (error) {
    if (retryUnavailable && error instanceof ApiError && error.status === 503) return undefined;
    throw error;
  }
}

/** Returns whether this is the stored response to a previous request with the same key. The order may have ended since. */
const isStored = ({ placedAt }: PlacedOrder): boolean =>
  placedAt !== null && Date.now() - Date.parse(placedAt) > STORED_AFTER_MS;

/**
 * Finds the order of a cart that was ordered already: the response to a first attempt was lost, and a change may have made the second
 * attempt a different request. Returns undefined if no order was found. An order that another tab is placing may become active between
 * both calls.
 */
async function findOrderOfCart(cartId: string): Promise<Outcome | undefined> {
  const find = ({ orders }: { orders: Order[] }) => orders.find((order) => order.cartId === cartId);
  try {
    const order =
      find(await read("/order/active-orders", {})) ??
      find(await read("/user/orders", { take: HISTORY_SIZE }));
    if (order === undefined) return undefined;
    if (order.status === "PaymentPending") return { kind: "authentication_pending", order };
    return isActive(order) ? { kind: "placed", order, isRepeated: true } : { kind: "order_ended", order };
  } catch {
    return undefined;
  }
}

/** Converts an error to an outcome. A final error ends the attempt, so that the next one gets a new key. */
export function toOutcome(error: unknown): Outcome {
  if (!(error instanceof ApiError) || !isFinal(error)) return { kind: "unknown", error };
  endAttempt();
  if (error.reason === "PRICE_CHANGED" || error.reason === "ETA_CHANGED") {
    return { kind: "quote_changed", reason: error.reason, quote: readQuote(error.data) };
  }
  return { kind: "rejected", error };
}

/** A 4xx is final, except for a missing session and rate limiting, which are checked before the order. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

function readQuote(data: unknown): Quote | null {
  if (typeof data !== "object" || data === null || !("quote" in data)) return null;
  // The gateway's tests check that the error has the type of the contract.
  return (data.quote ?? null) as Quote | null;
}
