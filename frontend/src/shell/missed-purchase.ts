import { type AnyRouter, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, errorMessage, isUnauthorized } from "@/api/errors";
import { formatDayPhrase } from "@/lib/day-phrase";
import { formatMoney } from "@/lib/money";
import { useIsMounted } from "@/lib/use-is-mounted";
import { isFinal, PreviousPurchaseError } from "@/provider/purchase";
import { toast } from "@/ui/toast";

/** Shows an error of a screen that the consumer has left, with a button that leads back, unless they already returned. */
export function showMissedError(router: AnyRouter, text: string, label: string, href: string): void {
  if (router.latestLocation.href === href) toast(text, "error");
  else toast(text, "error", { label, onPress: () => void router.navigate({ href }) });
}

/**
 * Returns a function that shows why a purchase failed if the consumer has left its screen. `title` states what was not bought: "Gift card
 * not bought."
 */
export function useShowMissedPurchase(title: string): (error: unknown) => void {
  const isMounted = useIsMounted();
  const router = useRouter();
  const [href] = useState(router.latestLocation.href);
  return (error) => {
    // A 401 leads to sign-in.
    if (isMounted.current || isUnauthorized(error)) return;
    showMissedError(router, formatMissedPurchase(title, error), "Try again", href);
  };
}

function formatMissedPurchase(title: string, error: unknown): string {
  if (error instanceof PreviousPurchaseError) {
    const { amount, createdAt } = error.purchase;
    return `You already paid ${formatMoney(amount)} for this ${formatDayPhrase(createdAt)}. You weren't charged again.`;
  }
  if (isFinal(error))
    return `${title} ${error instanceof ApiError ? errorMessage(error) : "You weren't charged."}`;
  if (error instanceof ApiError && error.status === 429) return `${title} ${errorMessage(error)}`;
  return "We couldn't confirm your payment. Try again; you won't be charged twice.";
}
