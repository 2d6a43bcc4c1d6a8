import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import type { Position } from "@/lib/geo";

export type Store = GetData<"/stores/list">["stores"][number];
export type StoreMapData = GetData<"/stores/map">;
export type Cluster = StoreMapData["clusters"][number];

/** What narrows a list of stores. */
export interface StoreFilter {
  curbside?: boolean | undefined;
  favorites?: boolean | undefined;
}

/** Waits change by the minute; a position is rounded to about ten metres, so that a trembling one asks nothing new. */
const FRESH_MS = 30_000;
const rounded = (position: Position | null) =>
  position && { lat: Number(position.lat.toFixed(4)), lon: Number(position.lon.toFixed(4)) };

/**
 * Stores, nearest first, around the centre that the server has where no position is known. With a term: those that
 * match it by name, company, street or city. The last answer stays on screen while the next one is on its way.
 */
export const storesQuery = (position: Position | null, filter: StoreFilter = {}, term = "", take = 20) => {
  const at = rounded(position);
  const { curbside, favorites } = filter;
  return queryOptions({
    queryKey: ["stores", "list", term, at, { curbside, favorites }, take],
    queryFn: ({ signal }) => {
      const query = { ...at, ...(curbside && { curb: true }), take };
      return term === ""
        ? read("/stores/list", { ...query, ...(favorites && { favorites: true }) }, { signal })
        : read("/stores/search", { ...query, term }, { signal });
    },
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
};

/** The middle of a map and half its height in degrees of latitude. */
export interface MapView extends Position {
  span: number;
}

/** Pins and clusters of a view. */
export const mapStoresQuery = ({ lat, lon, span }: MapView, filter: StoreFilter = {}) =>
  queryOptions({
    queryKey: ["stores", "map", lat, lon, span, filter.curbside ?? false],
    queryFn: ({ signal }) =>
      read("/stores/map", { lat, lon, span, ...(filter.curbside && { curb: true }) }, { signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** One store, with its distance where a position is known. */
export const storeQuery = (storeId: string, position: Position | null = null) => {
  const at = rounded(position);
  return queryOptions({
    queryKey: ["stores", "one", storeId, at],
    queryFn: ({ signal }) => read("/store/card", { storeId, ...at }, { signal }),
    staleTime: FRESH_MS,
  });
};

/** How and when an order can be picked up here: the promise of an order placed now. */
export const pickupQuery = (storeId: string) =>
  queryOptions({
    queryKey: ["stores", "pickup", storeId],
    queryFn: ({ signal }) => read("/store/pickup-options", { storeId }, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: 60_000,
  });
