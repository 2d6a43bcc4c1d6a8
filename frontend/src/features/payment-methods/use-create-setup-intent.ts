import { useQuery } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { Provider } from "@/provider/provider";
import { loadProvider } from "@/provider/script";

export interface SetupIntent {
  provider: Provider;
  /** Confirms the setup intent. It remains valid after a rejected card. */
  clientSecret: string;
}

/** Creates a setup intent, with which the provider saves a card, and loads its script when the screen opens. Not cached. */
export function useCreateSetupIntent() {
  return useQuery({
    queryKey: ["setup-intent"],
    queryFn: async (): Promise<SetupIntent> => {
      const intent = await write("/api/stripe/card/secret", undefined);
      return { provider: await loadProvider(intent), clientSecret: intent.clientSecret };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
