import { useQuery } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { Provider } from "@/provider/provider";
import { loadProvider } from "@/provider/script";

export interface BankSession {
  provider: Provider;
  clientSecret: string;
  /** Authorizes debits from the account. */
  mandate: string;
  /** Agrees to the fee for returned debits. */
  feeConsent: string;
}

/** Creates the session in which the provider links a bank account, and loads its script. Not cached. */
export function useCreateBankSession(userId: string) {
  return useQuery({
    queryKey: ["bank-session"],
    queryFn: async ({ signal }): Promise<BankSession> => {
      const { clientSecret, mandate, feeConsent, ...script } = await read(
        "/payment/add-bank/",
        { userId },
        { signal },
      );
      return { provider: await loadProvider(script), clientSecret, mandate, feeConsent };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
