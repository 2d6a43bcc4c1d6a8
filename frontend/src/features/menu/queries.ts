import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Item = GetData<"/item/details">;
export type Size = Item["sizes"][number];
export type Group = Item["modifications"][number];
export type Choice = Group["choices"][number];
export type MenuSection = GetData<"/store/menu">["sections"][number];
export type MenuItem = MenuSection["items"][number];

/** A store's whole menu, section by section. What is sold out changes during the day, so it is asked again often. */
export const menuQuery = (storeId: string) =>
  queryOptions({
    queryKey: ["menu", storeId],
    queryFn: ({ signal }) => read("/store/menu", { storeId }, { signal }),
    staleTime: 60_000,
  });

/** One item with its sizes, groups and choices. */
export const itemQuery = (storeId: string, itemId: string) =>
  queryOptions({
    queryKey: ["item", storeId, itemId],
    queryFn: ({ signal }) => read("/item/details", { storeId, itemId }, { signal }),
    staleTime: 60_000,
  });
