import { type Query, useMutation, useQueryClient } from "@tanstack/react-query";
import { orderKeys, paymentMethodKeys } from "@/shell/queries";
import { beginAttempt, isOutcomeUnknown, type OrderDraft } from "./attempt";
import { type Outcome, placeOrder } from "./place-order";
import { checkoutKeys, type Quote, quoteQuery } from "./queries";

interface PlacedDraft {
  draft: OrderDraft;
  quote: Quote;
}

/**
 * Places the drafted order at the displayed quote. Every response of the server is an {@link Outcome}. `onOutcome` is called even if the
 * consumer left the screen.
 */
export function usePlaceOrder(onOutcome: (outcome: Outcome, placed: PlacedDraft) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, quote }: PlacedDraft): Promise<Outcome> => {
      const isRepeated = isOutcomeUnknown(draft);
      return placeOrder(beginAttempt(draft, quote), isRepeated);
    },
    onSuccess: (outcome, placed) => {
      const { cart } = placed.draft;
      if (outcome.kind === "quote_changed" && outcome.quote) {
        // The screen shows the new quote, and the next attempt uses it.
        const stored = queryClient.setQueryData(quoteQuery(cart).queryKey, outcome.quote);
        // The cart of the screen is another one if its promo code was rejected.
        const predicate = ({ state }: Query) => state.data !== stored;
        void queryClient.invalidateQueries({ queryKey: checkoutKeys.quotes, predicate });
      } else if (outcome.kind === "authentication_pending") {
        void queryClient.invalidateQueries({ queryKey: orderKeys.all });
      } else if (outcome.kind === "quote_changed" || outcome.kind === "rejected") {
        // A rejected payment method may no longer exist.
        for (const queryKey of [checkoutKeys.quotes, checkoutKeys.cartOptions, paymentMethodKeys.all]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      }
      onOutcome(outcome, placed);
    },
    meta: { handlesErrors: true },
  });
}
