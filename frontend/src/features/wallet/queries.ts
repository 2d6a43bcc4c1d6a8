import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { walletKeys } from "@/shell/queries";

export type MyJoe = GetData<"/user/my-joe">;
export type Balance = NonNullable<MyJoe["balances"]>[number];
export type Transaction = GetData<"/user/transaction-history">["transactions"][number];

const PAGE_SIZE = 20;

/** Balances, points and profile. Parts that failed to load are listed in `unavailable`. */
export const myJoeQuery = queryOptions({
  queryKey: walletKeys.myJoe,
  queryFn: ({ signal }) => read("/user/my-joe", {}, { signal }),
  staleTime: 5_000,
});

/** The transactions of stored value, newest first. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: walletKeys.transactions,
  queryFn: async ({ pageParam, signal }) =>
    (await read("/user/transaction-history", { take: PAGE_SIZE, skip: pageParam }, { signal })).transactions,
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
  staleTime: 5_000,
});
