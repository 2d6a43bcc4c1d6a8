import { useMutation, useQueryClient } from "@tanstack/react-query";
import { beginAttempt, type Decision } from "./attempt";
import { type Outcome, place } from "./place-order";
import { type Quote, quoteQuery } from "./queries";

/** Places what the person decided on at the quote on screen; every answer is an {@link Outcome}. */
export function usePlaceOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ decision, quote }: { decision: Decision; quote: Quote }): Promise<Outcome> =>
      place(beginAttempt(decision, quote)),
    onSuccess: (outcome, { decision: { cart } }) => {
      if (outcome.kind === "moved" && outcome.quote) {
        // What the server would do now is what the screen shows and the next press agrees to.
        queryClient.setQueryData(quoteQuery(cart).queryKey, outcome.quote);
      } else if (outcome.kind === "moved" || outcome.kind === "refused") {
        void queryClient.invalidateQueries({ queryKey: ["quote"] });
        void queryClient.invalidateQueries({ queryKey: ["pickup-options"] });
        // The card that was refused may be one that nobody knows any more.
        void queryClient.invalidateQueries({ queryKey: ["payment-methods"] });
      }
    },
    meta: { handlesErrors: true },
  });
}
