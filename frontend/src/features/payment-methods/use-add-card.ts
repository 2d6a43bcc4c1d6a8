import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { CardElement, Provider, ProviderError } from "@/provider/provider";
import { loadProvider } from "@/provider/script";
import { addCard, savedCardIds } from "./mutations";

interface Setup {
  provider: Provider;
  /** Of the set-up intent; a card that was refused may be followed by another one. */
  clientSecret: string;
}

/** A set-up intent and the provider's script, both asked for when the screen opens and never kept. */
export function useCardSetup() {
  return useQuery({
    queryKey: ["card-setup"],
    queryFn: async (): Promise<Setup> => {
      const secret = await write("/api/stripe/card/secret", undefined);
      return { provider: await loadProvider(secret), clientSecret: secret.clientSecret };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

/** The provider's refusal of a card, in its words. */
export class CardRejectedError extends Error {
  override readonly name = "CardRejectedError";

  constructor({ message }: ProviderError) {
    super(message ?? "Your card wasn't accepted. Try another card.");
  }
}

interface AddCard extends Setup {
  element: CardElement;
  /** Of the card's owner, for the bank; empty for unknown. */
  owner: string;
}

/** Saves the card with the provider, with the bank's question where there is one, then takes it over. */
export function useAddCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ provider, clientSecret, element, owner }: AddCard) => {
      const known = await savedCardIds();
      const { error } = await provider.confirmCardSetup(clientSecret, {
        payment_method: { card: element, ...(owner ? { billing_details: { name: owner } } : {}) },
      });
      if (error) throw new CardRejectedError(error);
      return addCard(queryClient, known);
    },
    meta: { handlesErrors: true },
  });
}
