import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { walletKeys } from "@/shell/queries";

export type MyJoe = GetData<"/user/my-joe">;
export type Balance = NonNullable<MyJoe["balances"]>[number];
export type WalletBalance = GetData<"/user/wallet">["balances"][number];
export type AddFundsOptions = GetData<"/user/wallet/add-funds">;
export type AutoReload = AddFundsOptions["autoReload"];
export type LoyaltyCard = GetData<"/payments/loyalty-cards">["paymentMethods"][number];
export type Transaction = GetData<"/user/transaction-history">["transactions"][number];

const PAGE_SIZE = 20;

/** Balances, points and profile. Parts that failed to load are listed in `unavailable`. */
export const myJoeQuery = queryOptions({
  queryKey: walletKeys.myJoe,
  queryFn: ({ signal }) => read("/user/my-joe", {}, { signal }),
  staleTime: 5_000,
});

/** JoePass, gift cards and company cards. */
export const walletQuery = queryOptions({
  queryKey: walletKeys.balances,
  queryFn: async ({ signal }) => (await read("/user/wallet", {}, { signal })).balances,
  staleTime: 5_000,
});

/** Suggested amounts, limits and methods for adding funds. */
export const addFundsQuery = queryOptions({
  queryKey: walletKeys.addFunds,
  queryFn: ({ signal }) => read("/user/wallet/add-funds", {}, { signal }),
  staleTime: 5_000,
});

/** The transactions of one balance, or of all, newest first. */
export const balanceTransactionsQuery = (balanceId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...walletKeys.transactions, balanceId] as const,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(balanceId !== undefined && { balanceId }), take: PAGE_SIZE, skip: pageParam };
      return (await read("/user/transaction-history", query, { signal })).transactions;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
    staleTime: 5_000,
  });

/** The transactions of all stored value, newest first. */
export const transactionsQuery = balanceTransactionsQuery(undefined);

/** Stored value as payment methods, with cards that checkout does not offer. */
export const loyaltyCardsQuery = queryOptions({
  queryKey: [...walletKeys.all, "loyalty-cards"],
  queryFn: async ({ signal }) => (await read("/payments/loyalty-cards", {}, { signal })).paymentMethods,
  staleTime: 5_000,
});
