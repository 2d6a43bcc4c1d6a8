import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData, GetQuery } from "@/api/contract";
import { paymentMethodKeys } from "@/shell/queries";

export type PaymentMethod = GetData<"/payments/list">["paymentMethods"][number];

/** The payment methods of the consumer. With a store, only those that it accepts. */
export const paymentMethodsQuery = (query: GetQuery<"/payments/list"> = {}) =>
  queryOptions({
    queryKey: paymentMethodKeys.list(query),
    queryFn: async ({ signal }) => (await read("/payments/list", query, { signal })).paymentMethods,
    // The list contains balances, which must be up to date.
    staleTime: 5_000,
  });
