import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type MyJoe = GetData<"/user/my-joe">;
export type Balance = NonNullable<MyJoe["balances"]>[number];
export type Transaction = GetData<"/user/transaction-history">["transactions"][number];

const PAGE = 20;

/** Who the person is here: balances, points, profile. A part that is away is named in `away`. */
export const myJoeQuery = queryOptions({
  queryKey: ["wallet", "my-joe"],
  queryFn: ({ signal }) => read("/user/my-joe", {}, { signal }),
  staleTime: 5_000,
});

/** Every movement of stored value, newest first, page by page. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: ["wallet", "transactions"],
  queryFn: async ({ pageParam, signal }) =>
    (await read("/user/transaction-history", { take: PAGE, skip: pageParam }, { signal })).transactions,
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
  staleTime: 5_000,
});
