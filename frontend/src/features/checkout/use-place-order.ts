import { useMutation, useQueryClient } from "@tanstack/react-query";
import { orderKeys, paymentMethodKeys } from "@/shell/queries";
import { beginAttempt, type OrderDraft } from "./attempt";
import { type Outcome, placeOrder } from "./place-order";
import { checkoutKeys, type Quote, quoteQuery } from "./queries";

/** Places the drafted order at the displayed quote. Every response of the server is an {@link Outcome}. */
export function usePlaceOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, quote }: { draft: OrderDraft; quote: Quote }): Promise<Outcome> =>
      placeOrder(beginAttempt(draft, quote)),
    onSuccess: (outcome, { draft: { cart } }) => {
      if (outcome.kind === "quote_changed" && outcome.quote) {
        // The screen shows the new quote, and the next attempt uses it.
        queryClient.setQueryData(quoteQuery(cart).queryKey, outcome.quote);
      } else if (outcome.kind === "authentication_pending") {
        void queryClient.invalidateQueries({ queryKey: orderKeys.all });
      } else if (outcome.kind === "quote_changed" || outcome.kind === "rejected") {
        // A rejected payment method may no longer exist.
        for (const queryKey of [checkoutKeys.quotes, checkoutKeys.cartOptions, paymentMethodKeys.all]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      }
    },
    meta: { handlesErrors: true },
  });
}
