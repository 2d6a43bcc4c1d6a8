import type { QueryClient } from "@tanstack/react-query";
import { paymentMethodKeys, walletKeys } from "@/shell/queries";

/** Fetches the saved methods again, also where they are options to add funds. */
export const invalidateMethods = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all }),
    queryClient.invalidateQueries({ queryKey: walletKeys.addFunds }),
  ]);
