/** Texts about the outcome of placing an order. */
import { ApiError, errorMessage, NetworkError } from "@/api/errors";
import { statesPayment } from "@/lib/charge-text";
import { formatDayPhrase } from "@/lib/day-phrase";
import { TAP_AGAIN } from "@/provider/purchase";
import { SCRIPT_FAILED, ScriptError } from "@/provider/script";
import type { Outcome } from "./place-order";

interface Message {
  title: string;
  text: string;
}

const NOT_PLACED = "Order not placed.";
const QUOTE_CHANGED = "Your total or pickup time changed.";

/** Reasons that another payment method may resolve. Their sentences do not suggest one. */
const SUGGEST_OTHER_METHOD: ReadonlySet<string> = new Set([
  "CARD_DECLINED",
  "EXPIRED_CARD",
  "INCORRECT_CVC",
  "INSUFFICIENT_FUNDS",
  "AUTHENTICATION_FAILED",
  "CHARGE_MISMATCH",
  "TENDER_UNSUPPORTED",
]);

/** Formats a message for the consumer who left checkout before the response. The order was not placed, as far as known. */
export function formatMissedOutcome(outcome: Outcome): string {
  if (outcome.kind === "quote_changed") return QUOTE_CHANGED;
  const title = formatOutcome(outcome)?.title ?? "Confirm your payment first.";
  return outcome.kind === "rejected" && title === NOT_PLACED
    ? `${title} ${errorMessage(outcome.error)}`
    : title;
}

/** Explains why the order was not placed; undefined if another part of the screen does. */
export function formatOutcome(outcome: Outcome): Message | undefined {
  if (outcome.kind === "placed" || outcome.kind === "authentication_pending") return undefined;
  if (outcome.kind === "quote_changed") {
    if (outcome.quote) return undefined;
    return {
      title: QUOTE_CHANGED,
      text: "You weren't charged. Check the details and try again.",
    };
  }
  if (outcome.kind === "order_ended") {
    const { placedAt, timeZone } = outcome.order;
    const day = placedAt ? ` ${formatDayPhrase(placedAt, timeZone)}` : "";
    return {
      title: `You already ordered this cart${day}.`,
      text: "You weren't charged again. Tap again to order it once more.",
    };
  }
  if (outcome.kind === "unknown") return formatUnknownOutcome(outcome.error);
  const { error } = outcome;
  if (error.reason === "CART_ORDERED") {
    return {
      title: "A payment for this cart is still in progress.",
      text: "You weren't charged twice. Finish it with the same card, or try again in a few minutes.",
    };
  }
  if (error.reason === "FAILED_ACH_PAYMENTS") {
    return {
      title: "You have failed payment.",
      text: "Pay it first, then place your order. Your cart is still here.",
    };
  }
  const message = errorMessage(error);
  return { title: NOT_PLACED, text: `${message} ${formatNextStep(error.reason, message)}` };
}

function formatNextStep(reason: string, message: string): string {
  // A previous order with the same key may be charged.
  if (reason === "IDEMPOTENCY_KEY_REUSED" || statesPayment(message)) return "Your cart is still here.";
  return SUGGEST_OTHER_METHOD.has(reason)
    ? "You weren't charged. Choose another way to pay; your cart is still here."
    : "You weren't charged, and your cart is still here.";
}

function formatUnknownOutcome(error: unknown): Message {
  if (error instanceof ScriptError) return { title: SCRIPT_FAILED, text: TAP_AGAIN };
  if (error instanceof NetworkError && error.kind === "network error") {
    return { title: "We lost the connection.", text: TAP_AGAIN };
  }
  if (error instanceof ApiError && error.status === 429) {
    return { title: "We couldn't send your order.", text: errorMessage(error) };
  }
  return { title: "This is taking longer than expected.", text: TAP_AGAIN };
}
