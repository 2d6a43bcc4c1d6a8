/** Places an order to its end: sends it, lets the bank ask its question, and says what became of it. */
import { read, write } from "@/api/client";
import type { PostData } from "@/api/contract";
import { ApiError, NetworkError } from "@/api/errors";
import type { Order } from "@/features/orders/queries";
import { loadProvider } from "@/provider/script";
import { endAttempt, type PlaceBody } from "./attempt";
import type { Quote } from "./queries";

/** The order, and what asks its consumer where the bank has a question. */
type Answer = PostData<"/order/create">;

/** How an attempt ended. */
export type Outcome =
  | { kind: "placed"; order: Order }
  /** Price or promise moved: the person decides on the new quote; none where the server sent none. */
  | { kind: "moved"; reason: "PRICE_CHANGED" | "ETA_CHANGED"; quote: Quote | null }
  /** A final no, with a reason; the cart is as it was. */
  | { kind: "refused"; error: ApiError }
  /** Nobody knows yet. Sent again with the same key, it is the same order. */
  | { kind: "unknown"; error: unknown };

/** How often an order that the server still works on is asked for again. */
const PATIENCE = 5;
const PAUSE_MS = 1_000;

/** Sends the attempt. Never throws for what the server says: every answer is an outcome. */
export async function place(body: PlaceBody): Promise<Outcome> {
  try {
    return await carryThrough(body);
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome.kind !== "refused" || outcome.error.reason !== "CART_ORDERED") return outcome;
    const order = await orderOfCart(body.cart.storeId).catch(() => undefined);
    return order ? { kind: "placed", order } : outcome;
  }
}

async function carryThrough(body: PlaceBody): Promise<Outcome> {
  const asked = new Set<string>();
  for (let waited = 0; ; ) {
    const order = await ask(body, asked.size > 0 && waited < PATIENCE);
    if (order && order.status !== "PaymentPending") {
      endAttempt();
      return { kind: "placed", order };
    }
    if (order?.clientSecret && order.providerScript && !asked.has(order.clientSecret)) {
      asked.add(order.clientSecret);
      await authenticate(order.clientSecret, order.providerScript);
    } else if (waited < PATIENCE) {
      waited += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } else {
      return { kind: "unknown", error: new NetworkError("timeout exceeded") };
    }
  }
}

/**
 * Sends the request; the same one, as often as it takes. Once the bank has answered, the provider tells our server
 * too, and whoever of the two comes second is told 503 for a moment: undefined, to be asked again.
 */
async function ask(body: PlaceBody, patient: boolean): Promise<Answer | undefined> {
  try {
    return await write("/order/create", body);
  } catch (error) {
    if (patient && error instanceof ApiError && error.status === 503) return undefined;
    throw error;
  }
}

/** The bank's question, answered in the provider's frame. What came of it is asked of our server, with the same key. */
async function authenticate(
  clientSecret: string,
  script: NonNullable<Answer["providerScript"]>,
): Promise<void> {
  const provider = await loadProvider(script);
  await provider.handleNextAction({ clientSecret });
}

/** An order of a cart that "was ordered already" is a recent one at its store. */
const RECENT_MS = 60 * 60_000;

/**
 * The order that a refused cart has become: the answer to its first attempt was lost, and then something else was
 * changed, so that the second one was another request. None where it waits for a payment.
 */
async function orderOfCart(storeId: string): Promise<Order | undefined> {
  const { orders } = await read("/order/active-orders", {});
  const since = Date.now() - RECENT_MS;
  return orders.find((order) => order.storeId === storeId && Date.parse(order.createdAt ?? "") > since);
}

/** What an error says about the attempt; a final no ends it, so that the next one has a key of its own. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiError) || !isFinal(error)) return { kind: "unknown", error };
  endAttempt();
  if (error.reason === "PRICE_CHANGED" || error.reason === "ETA_CHANGED") {
    return { kind: "moved", reason: error.reason, quote: quoteIn(error.data) };
  }
  return { kind: "refused", error };
}

/** A 4xx is; but nothing was looked at yet where nobody is signed in or it was too much at once. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

function quoteIn(data: unknown): Quote | null {
  if (typeof data !== "object" || data === null || !("quote" in data)) return null;
  // The contract's own type: the gateway's tests hold the refusal to it.
  return (data.quote ?? null) as Quote | null;
}
