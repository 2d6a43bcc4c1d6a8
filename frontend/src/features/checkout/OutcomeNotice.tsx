import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";
import { NetworkError, sentence } from "@/api/errors";
import { ScriptError } from "@/provider/script";
import type { Outcome } from "./place";

/** What became of pressing "Place order", where that was no order: in words, above the button. */
export function OutcomeNotice({ outcome }: { outcome: Outcome | undefined }): ReactNode {
  const words = outcome && wordsOf(outcome);
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

export function wordsOf(outcome: Outcome): { title: string; text: string } | undefined {
  if (outcome.kind === "placed") return undefined;
  if (outcome.kind === "moved") {
    if (outcome.quote) return undefined;
    return { title: "Something moved.", text: "Nothing was charged. Please look at the new total and time." };
  }
  if (outcome.kind === "unknown") return { title: "Not sure yet.", text: unknownWords(outcome.error) };
  const { error } = outcome;
  if (error.reason === "CART_ORDERED") {
    return {
      title: "Not ordered again.",
      text: "An earlier try to pay for this cart is still open at your bank. Finish it with the same card, or wait a few minutes.",
    };
  }
  const kept = PAYMENT.test(error.reason)
    ? "Nothing was charged. Choose another way to pay; your cart is still here."
    : "Nothing was charged, and your cart is still here.";
  const said = sentence(error);
  // The server may have said so itself.
  const text = /nothing was charged/i.test(said) ? `${said} Your cart is still here.` : `${said} ${kept}`;
  return { title: "Not ordered.", text };
}

function unknownWords(error: unknown): string {
  const again = "Press the button again: it is never ordered twice.";
  if (error instanceof ScriptError) {
    return `Your bank wants to ask you something, and its page did not load. ${again}`;
  }
  if (error instanceof NetworkError && error.kind === "network error") {
    return `The connection was lost before the answer came. ${again}`;
  }
  return `The answer did not come. ${again}`;
}
