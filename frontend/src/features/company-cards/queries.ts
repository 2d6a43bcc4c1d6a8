import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { walletKeys } from "@/shell/queries";

export type CompanyCard = GetData<"/company-gift-card/details">;
export type Upload = GetData<"/company-gift-card/uploads">["uploads"][number];

const PAGE_SIZE = 20;

const companyCardKeys = {
  details: (giftCardId: string) => [...walletKeys.all, "company-cards", "details", giftCardId] as const,
  list: (name: "history" | "orders" | "uploads", companyId: string) =>
    [...walletKeys.all, "company-cards", name, companyId] as const,
};

const nextPage = (last: readonly unknown[], pages: readonly unknown[]): number | undefined =>
  last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE;

const page = (companyId: string, skip: number) => ({ companyId, take: PAGE_SIZE, skip });

/** The card with its balance. The balance of the wallet is shown until it is loaded. */
export const companyCardQuery = (giftCardId: string, inWallet: CompanyCard) =>
  queryOptions({
    queryKey: companyCardKeys.details(giftCardId),
    queryFn: ({ signal }) => read("/company-gift-card/details", { giftCardId }, { signal }),
    placeholderData: inWallet,
    staleTime: 5_000,
  });

/** The transactions of the card, newest first. */
export const companyCardHistoryQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: companyCardKeys.list("history", companyId),
    queryFn: async ({ pageParam, signal }) =>
      (await read("/company-gift-card/history", page(companyId, pageParam), { signal })).transactions,
    initialPageParam: 0,
    getNextPageParam: nextPage,
    staleTime: 5_000,
  });

/** The transactions that belong to orders, newest first. */
export const companyCardOrdersQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: companyCardKeys.list("orders", companyId),
    queryFn: async ({ pageParam, signal }) =>
      (await read("/company-gift-card/orders", page(companyId, pageParam), { signal })).transactions,
    initialPageParam: 0,
    getNextPageParam: nextPage,
    staleTime: 5_000,
  });

/** The purchases that added to the card, newest first. */
export const companyCardUploadsQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: companyCardKeys.list("uploads", companyId),
    queryFn: async ({ pageParam, signal }) =>
      (await read("/company-gift-card/uploads", page(companyId, pageParam), { signal })).uploads,
    initialPageParam: 0,
    getNextPageParam: nextPage,
    staleTime: 5_000,
  });
