import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactNode } from "react";
import { formatOutcome } from "./format-outcome";
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
