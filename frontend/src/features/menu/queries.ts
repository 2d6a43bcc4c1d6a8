import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Item = GetData<"/item/details">;
export type Size = Item["sizes"][number];
export type Group = Item["modifications"][number];
export type Choice = Group["choices"][number];
export type MenuSection = GetData<"/store/menu">["sections"][number];
export type MenuItem = MenuSection["items"][number];

export const menuKeys = {
  menu: (storeId: string) => ["menu", storeId] as const,
  item: (storeId: string, itemId: string) => ["item", storeId, itemId] as const,
};

/** The menu of a store by sections. Availability changes during the day, so it is refetched often. */
export const menuQuery = (storeId: string) =>
  queryOptions({
    queryKey: menuKeys.menu(storeId),
    queryFn: ({ signal }) => read("/store/menu", { storeId }, { signal }),
    staleTime: 60_000,
  });

/** An item with its sizes, groups and choices. */
export const itemQuery = (storeId: string, itemId: string) =>
  queryOptions({
    queryKey: menuKeys.item(storeId, itemId),
    queryFn: ({ signal }) => read("/item/details", { storeId, itemId }, { signal }),
    staleTime: 60_000,
  });
