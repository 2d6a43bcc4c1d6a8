import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { write } from "@/api/client";
import type { CardElement } from "@/provider/provider";
import { findAddedMethod, savedMethodIds } from "./added-method";
import { invalidateMethods } from "./invalidate-methods";
import { MethodRejectedError } from "./method-rejected-error";
import type { SetupIntent } from "./use-create-setup-intent";

interface AddCardOptions extends SetupIntent {
  element: CardElement;
  /** The name of the cardholder, for the bank; empty if unknown. */
  owner: string;
  /** Makes the card the default. */
  isDefault: boolean;
}

interface ConfirmedCard {
  clientSecret: string;
  setupIntentId: string | undefined;
  /** The cards from before. */
  previousIds: ReadonlySet<string>;
}

/** Saves the card with the provider, then imports it. Resolves to the imported card. A repeated call after a lost import only imports. */
export function useAddCard() {
  const queryClient = useQueryClient();
  const confirmed = useRef<ConfirmedCard>(undefined);
  return useMutation({
    mutationFn: async (options: AddCardOptions) => {
      const { clientSecret, isDefault } = options;
      if (confirmed.current?.clientSecret !== clientSecret) confirmed.current = await confirmCard(options);
      const { setupIntentId, previousIds } = confirmed.current;
      const { paymentMethods } =
        isDefault && setupIntentId
          ? await write("/payment/save", { setupIntentId, isDefault })
          : await write("/payment/add-card", undefined);
      const card = findAddedMethod(paymentMethods, "card", previousIds);
      void invalidateMethods(queryClient);
      return card;
    },
    meta: { handlesErrors: true },
  });
}

/** Saves the card with the provider. A setup that has succeeded before, with a lost response, cannot be confirmed again. */
async function confirmCard(options: AddCardOptions): Promise<ConfirmedCard> {
  const { provider, clientSecret, element, owner } = options;
  const previousIds = await savedMethodIds("card");
  const { setupIntent, error } = await provider.confirmCardSetup(clientSecret, {
    payment_method: { card: element, ...(owner ? { billing_details: { name: owner } } : {}) },
  });
  if (error && error.setup_intent?.status !== "succeeded") throw new MethodRejectedError(error);
  return { clientSecret, setupIntentId: (setupIntent ?? error?.setup_intent)?.id, previousIds };
}
