import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData, GetQuery } from "@/api/contract";

export type PaymentMethod = GetData<"/payments/list">["paymentMethods"][number];

/** What the consumer can pay with; at a store, without company cards that it does not take. */
export const paymentMethodsQuery = (query: GetQuery<"/payments/list"> = {}) =>
  queryOptions({
    queryKey: ["payment-methods", query],
    queryFn: async ({ signal }) => (await read("/payments/list", query, { signal })).paymentMethods,
    // Balances are in it, and what says how much money there is must not be old.
    staleTime: 5_000,
  });
