import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";

/** A saved method or a balance, as it is now. Not in `queries.ts`, which is part of the first script. */
export const paymentMethodQuery = (paymentMethodId: string) =>
  queryOptions({
    queryKey: ["payment-method", paymentMethodId],
    queryFn: ({ signal }) => read("/payment", { paymentMethodId }, { signal }),
    staleTime: 5_000,
  });
