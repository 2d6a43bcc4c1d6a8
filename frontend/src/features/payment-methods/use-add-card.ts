import { useMutation, useQueryClient } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import type { CardElement, ProviderError } from "@/provider/provider";
import { paymentMethodKeys } from "@/shell/queries";
import type { PaymentMethod } from "./queries";
import type { SetupIntent } from "./use-create-setup-intent";

/** The provider rejected a card. The message is the provider's. */
export class CardRejectedError extends Error {
  override readonly name = "CardRejectedError";

  constructor({ message }: ProviderError) {
    super(message ?? "Your card wasn't accepted. Try another card.");
  }
}

interface AddCardOptions extends SetupIntent {
  element: CardElement;
  /** The name of the cardholder, for the bank; empty if unknown. */
  owner: string;
}

/** Saves the card with the provider, then imports it. Resolves to the imported card. */
export function useAddCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ provider, clientSecret, element, owner }: AddCardOptions) => {
      const previousIds = await savedCardIds();
      const { error } = await provider.confirmCardSetup(clientSecret, {
        payment_method: { card: element, ...(owner ? { billing_details: { name: owner } } : {}) },
      });
      if (error) throw new CardRejectedError(error);
      const card = await importCard(previousIds);
      void queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all });
      return card;
    },
    meta: { handlesErrors: true },
  });
}

async function savedCardIds(): Promise<ReadonlySet<string>> {
  const { paymentMethods } = await read("/payments/list", { type: "card" });
  return new Set(paymentMethods.map(({ id }) => id));
}

/** Imports the cards saved with the provider. Returns the one that is not in `previousIds`. */
async function importCard(previousIds: ReadonlySet<string>): Promise<PaymentMethod | undefined> {
  const { paymentMethods } = await write("/payment/add-card", undefined);
  const cards = paymentMethods.filter(({ type }) => type === "card");
  return cards.find(({ id }) => !previousIds.has(id)) ?? cards.at(-1);
}
