import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";
import { errorMessage, NetworkError } from "@/api/errors";
import { ScriptError } from "@/provider/script";
import type { Outcome } from "./place-order";

/** What became of pressing "Place order", where that was no order: in words, above the button. */
export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }): ReactNode {
  const words = outcome && formatOutcome(outcome);
  return (
    <div role="alert">
      {words && (
        <div className="t-small flex gap-3 border-line border-t bg-danger-soft px-gutter py-3 text-danger">
          <CircleAlert aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />
          <p>
            <b className="t-small-strong">{words.title}</b> {words.text}
          </p>
        </div>
      )}
    </div>
  );
}

/** Reasons of payment, whose way on is another method. */
const PAYMENT =
  /^(CARD_|INSUFFICIENT_|EXPIRED_|INCORRECT_|PAYMENT_METHOD|AUTHENTICATION_|PROCESSING_|TENDER_)/;

export function formatOutcome(outcome: Outcome): { title: string; text: string } | undefined {
  if (outcome.kind === "placed") return undefined;
  if (outcome.kind === "moved") {
    if (outcome.quote) return undefined;
    return {
      title: "Your total or pickup time changed.",
      text: "You weren't charged. Check the details and try again.",
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
  const kept = PAYMENT.test(error.reason)
    ? "You weren't charged. Choose another way to pay; your cart is still here."
    : "You weren't charged, and your cart is still here.";
  const said = errorMessage(error);
  // The server may have said so itself.
  const text = /charged/i.test(said) ? `${said} Your cart is still here.` : `${said} ${kept}`;
  return { title: "Order not placed.", text };
}

function formatUnknownOutcome(error: unknown): { title: string; text: string } {
  const text = "Tap again; you won't be charged twice.";
  if (error instanceof ScriptError) return { title: "We couldn't load your bank's check.", text };
  if (error instanceof NetworkError && error.kind === "network error") {
    return { title: "We lost the connection.", text };
  }
  return { title: "This is taking longer than expected.", text };
}
