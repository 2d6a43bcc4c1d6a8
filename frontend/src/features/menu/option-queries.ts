/** Queries of the sizes and options of an item, which no loader needs. */
import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import { menuKeys } from "./queries";

/** The sizes of an item, to choose from in the menu. */
export const sizesQuery = (storeId: string, itemId: string) =>
  queryOptions({
    queryKey: menuKeys.sizes(storeId, itemId),
    queryFn: async ({ signal }) => (await read("/item/sizes", { storeId, itemId }, { signal })).sizes,
    staleTime: 60_000,
  });

/** The groups and choices of an item, which decide whether it can be added without customizing it. */
export const modificationsQuery = (storeId: string, itemId: string) =>
  queryOptions({
    queryKey: menuKeys.modifications(storeId, itemId),
    queryFn: async ({ signal }) =>
      (await read("/item/modifications", { storeId, itemId }, { signal })).modifications,
    staleTime: 60_000,
  });

/** An option group with the prices of one size. */
export const modificationQuery = (storeId: string, sizeId: string, modificationId: string) =>
  queryOptions({
    queryKey: menuKeys.group(storeId, sizeId, modificationId),
    queryFn: ({ signal }) => read("/item/modification", { storeId, sizeId, modificationId }, { signal }),
    staleTime: 60_000,
  });

/** A choice with the price of one size. */
export const modificationChoiceQuery = (
  storeId: string,
  sizeId: string,
  modificationId: string,
  choiceId: string,
) =>
  queryOptions({
    queryKey: menuKeys.choice(storeId, sizeId, modificationId, choiceId),
    queryFn: ({ signal }) =>
      read("/item/modification-choice", { storeId, sizeId, modificationId, choiceId }, { signal }),
    staleTime: 60_000,
  });
