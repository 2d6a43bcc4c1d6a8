import { useQuery } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { Provider } from "@/provider/provider";
import { loadProvider } from "@/provider/script";
import { cardSetupKey } from "./queries";

export interface CardSetup {
  provider: Provider;
  /** The secret of the set-up intent. It remains valid after a rejected card. */
  clientSecret: string;
}

/** Creates a set-up intent and loads the provider's script when the screen opens. Not cached. */
export function useCardSetup() {
  return useQuery({
    queryKey: cardSetupKey,
    queryFn: async (): Promise<CardSetup> => {
      const secret = await write("/api/stripe/card/secret", undefined);
      return { provider: await loadProvider(secret), clientSecret: secret.clientSecret };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
