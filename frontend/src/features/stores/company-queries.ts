import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { Position } from "@/lib/geo";
import { rounded, STALE_MS, storeKeys } from "./queries";

const companyKeys = {
  company: (companyId: string) => ["company", companyId] as const,
  stores: (companyId: string, position: Position | null) =>
    [...storeKeys.lists, "company", companyId, position] as const,
  locations: (companyName: string) => ["company-locations", companyName] as const,
};

export const companyQuery = (companyId: string) =>
  queryOptions({
    queryKey: companyKeys.company(companyId),
    queryFn: ({ signal }) => read("/store/company-info", { companyId }, { signal }),
    staleTime: 5 * 60_000,
  });

const COMPANY_PAGE_SIZE = 20;

/** The stores of a company, nearest first. */
export const companyStoresQuery = (companyId: string, position: Position | null) => {
  const at = rounded(position);
  return infiniteQueryOptions({
    queryKey: companyKeys.stores(companyId, at),
    queryFn: async ({ pageParam, signal }) => {
      const page = { take: COMPANY_PAGE_SIZE, skip: pageParam };
      return (await read("/company/stores", { companyId, ...at, ...page }, { signal })).stores;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < COMPANY_PAGE_SIZE ? undefined : pages.length * COMPANY_PAGE_SIZE,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
};

/** The cities in which a company has stores, those with the most stores first. */
export const locationsQuery = (companyName: string) =>
  queryOptions({
    queryKey: companyKeys.locations(companyName),
    queryFn: async ({ signal }) => (await read("/store/locations", { companyName }, { signal })).locations,
    staleTime: 5 * 60_000,
  });
