import { useMutation, useQueryClient } from "@tanstack/react-query";
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

/** Saves the card with the provider, then imports it. Resolves to the imported card. */
export function useAddCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ provider, clientSecret, element, owner, isDefault }: AddCardOptions) => {
      const previousIds = await savedMethodIds("card");
      const { setupIntent, error } = await provider.confirmCardSetup(clientSecret, {
        payment_method: { card: element, ...(owner ? { billing_details: { name: owner } } : {}) },
      });
      if (error) throw new MethodRejectedError(error);
      const { paymentMethods } =
        isDefault && setupIntent
          ? await write("/payment/save", { setupIntentId: setupIntent.id, isDefault })
          : await write("/payment/add-card", undefined);
      const card = findAddedMethod(paymentMethods, "card", previousIds);
      void invalidateMethods(queryClient);
      return card;
    },
    meta: { handlesErrors: true },
  });
}
