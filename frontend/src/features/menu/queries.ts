import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Item = GetData<"/item/details">;
export type Size = Item["sizes"][number];
export type Group = Item["modifications"][number];
export type Choice = Group["choices"][number];
export type MenuSection = GetData<"/store/menu">["sections"][number];
export type MenuItem = MenuSection["items"][number];
export type Category = MenuSection["category"];
/** The parts of an item that its customization needs. */
export type ItemOptions = Pick<Item, "itemId" | "name" | "art" | "sizes" | "modifications">;

export const menuKeys = {
  menu: (storeId: string) => ["menu", storeId] as const,
  categories: (storeId: string) => ["menu-categories", storeId] as const,
  items: (storeId: string) => ["item", storeId] as const,
  item: (storeId: string, itemId: string) => ["item", storeId, itemId] as const,
  sizes: (storeId: string, itemId: string) => ["item", storeId, itemId, "sizes"] as const,
  modifications: (storeId: string, itemId: string) => ["item", storeId, itemId, "modifications"] as const,
  groups: (storeId: string) => ["group", storeId] as const,
  group: (storeId: string, sizeId: string, groupId: string) => ["group", storeId, sizeId, groupId] as const,
  choice: (storeId: string, sizeId: string, groupId: string, choiceId: string) =>
    ["group", storeId, sizeId, groupId, choiceId] as const,
  topOrdered: (storeId: string) => ["top-ordered", storeId] as const,
  upsells: (storeId: string) => ["upsell", storeId] as const,
  upsell: (storeId: string, itemIds: readonly string[]) => ["upsell", storeId, itemIds] as const,
};

/** The menu of a store by sections. Availability changes during the day, so it is refetched often. */
export const menuQuery = (storeId: string) =>
  queryOptions({
    queryKey: menuKeys.menu(storeId),
    queryFn: ({ signal }) => read("/store/menu", { storeId }, { signal }),
    staleTime: 60_000,
  });

/** The categories of a menu. Loaded before the menu, which is much larger. */
export const categoriesQuery = (storeId: string) =>
  queryOptions({
    queryKey: menuKeys.categories(storeId),
    queryFn: async ({ signal }) => (await read("/store/menu/categories", { storeId }, { signal })).categories,
    staleTime: 5 * 60_000,
  });

/** An item with its sizes, groups and choices. */
export const itemQuery = (storeId: string, itemId: string) =>
  queryOptions({
    queryKey: menuKeys.item(storeId, itemId),
    queryFn: ({ signal }) => read("/item/details", { storeId, itemId }, { signal }),
    staleTime: 60_000,
  });

/** The most ordered items of a store. */
export const topOrderedQuery = (storeId: string) =>
  queryOptions({
    queryKey: menuKeys.topOrdered(storeId),
    queryFn: ({ signal }) => read("/store/top-ordered", { storeId }, { signal }),
    staleTime: 60_000,
  });

/** Items that go with those of a cart. `itemIds` are sorted. */
export const upsellQuery = (storeId: string, itemIds: readonly string[]) =>
  queryOptions({
    queryKey: menuKeys.upsell(storeId, itemIds),
    queryFn: ({ signal }) => read("/store/upsell-items", { storeId, itemIds: itemIds.join() }, { signal }),
    staleTime: 60_000,
  });
