import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";
import { errorMessage, NetworkError } from "@/api/errors";
import { statesPayment } from "@/lib/charge-text";
import { formatDayPhrase } from "@/lib/day-phrase";
import { ScriptError } from "@/provider/script";
import type { Outcome } from "./place-order";

/** Explains above the button why the order was not placed. */
export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }): ReactNode {
  const message = outcome && formatOutcome(outcome);
  return (
    <div role="alert">
      {message && (
        <div className="t-small flex gap-3 border-line border-t bg-danger-soft px-gutter py-3 text-danger">
          <CircleAlert aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />
          <p>
            <b className="t-small-strong">{message.title}</b> {message.text}
          </p>
        </div>
      )}
    </div>
  );
}

interface Message {
  title: string;
  text: string;
}

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

function formatOutcome(outcome: Outcome): Message | undefined {
  if (outcome.kind === "placed" || outcome.kind === "authentication_pending") return undefined;
  if (outcome.kind === "quote_changed") {
    if (outcome.quote) return undefined;
    return {
      title: "Your total or pickup time changed.",
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
  return { title: "Order not placed.", text: `${message} ${formatNextStep(error.reason, message)}` };
}

function formatNextStep(reason: string, message: string): string {
  // An earlier order with the same key may be charged.
  if (reason === "IDEMPOTENCY_KEY_REUSED" || statesPayment(message)) return "Your cart is still here.";
  return SUGGEST_OTHER_METHOD.has(reason)
    ? "You weren't charged. Choose another way to pay; your cart is still here."
    : "You weren't charged, and your cart is still here.";
}

function formatUnknownOutcome(error: unknown): Message {
  const text = "Tap again; you won't be charged twice.";
  if (error instanceof ScriptError) return { title: "We couldn't load your bank's check.", text };
  if (error instanceof NetworkError && error.kind === "network error") {
    return { title: "We lost the connection.", text };
  }
  return { title: "This is taking longer than expected.", text };
}
