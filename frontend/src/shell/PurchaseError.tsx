import type { ReactNode } from "react";
import { errorMessage, NetworkError } from "@/api/errors";
import { formatDayPhrase } from "@/lib/day-phrase";
import { formatMoney } from "@/lib/money";
import { isOutcomeUnknown, PreviousPurchaseError, PurchaseFailedError, TAP_AGAIN } from "@/provider/purchase";
import { SCRIPT_FAILED, ScriptError } from "@/provider/script";

/** Scrolls to the error, which may be behind the bar at the bottom. */
const show = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "center" });

/** Why a purchase failed, what it means for the consumer's money, and what to do. */
export function PurchaseError({ error }: { error: Error }): ReactNode {
  return (
    <div ref={show} role="alert" className="rounded-choice bg-danger-soft px-4 py-3.5 text-danger">
      {formatPurchaseError(error)}
    </div>
  );
}

function formatPurchaseError(error: Error): string {
  if (error instanceof PurchaseFailedError) return error.message;
  if (error instanceof PreviousPurchaseError) {
    const { amount, createdAt } = error.purchase;
    return `You already paid ${formatMoney(amount)} for this ${formatDayPhrase(createdAt)}. You weren't charged again; tap again to buy another one.`;
  }
  if (error instanceof ScriptError) return `${SCRIPT_FAILED} ${TAP_AGAIN}`;
  if (isOutcomeUnknown(error)) {
    const isLost = error instanceof NetworkError && error.kind === "network error";
    const title = isLost ? "We lost the connection." : "This is taking longer than expected.";
    return `${title} ${TAP_AGAIN}`;
  }
  return errorMessage(error);
}
