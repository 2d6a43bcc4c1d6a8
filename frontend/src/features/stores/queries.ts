import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import type { Position } from "@/lib/geo";
import type { StoreFilters } from "./filters";

export type Store = GetData<"/stores/list">["stores"][number];
export type StoreMapData = GetData<"/stores/map">;
export type Cluster = StoreMapData["clusters"][number];

type QueryFilters = Pick<StoreFilters, "curbside" | "favorites">;

export const storeKeys = {
  lists: ["stores", "list"] as const,
  list: (term: string, position: Position | null, filters: QueryFilters, take: number) =>
    ["stores", "list", term, position, filters, take] as const,
  maps: ["stores", "map"] as const,
  map: (view: MapView, curbside: boolean) => ["stores", "map", view, curbside] as const,
  store: (storeId: string) => ["stores", "detail", storeId] as const,
  storeAt: (storeId: string, position: Position | null) => ["stores", "detail", storeId, position] as const,
  info: (storeId: string) => ["stores", "detail", storeId, "info"] as const,
  status: (storeId: string) => ["stores", "status", storeId] as const,
  pickup: (storeId: string) => ["stores", "pickup", storeId] as const,
};

/** Wait times change every minute. */
export const STALE_MS = 30_000;

/** Rounds to about ten meters, so that GPS noise does not cause a request. */
export const rounded = (position: Position | null) =>
  position && { lat: Number(position.lat.toFixed(4)), lon: Number(position.lon.toFixed(4)) };

/**
 * Stores, nearest first. Without a position the server uses its configured center. A term matches name, company, street
 * and city. The previous result stays visible while the next one loads.
 */
export const storesQuery = (position: Position | null, filters: QueryFilters = {}, term = "", take = 20) => {
  const at = rounded(position);
  const { curbside, favorites } = filters;
  return queryOptions({
    queryKey: storeKeys.list(term, at, { curbside, favorites }, take),
    queryFn: ({ signal }) => {
      const query = { ...at, ...(curbside && { curb: true }), take };
      return term === ""
        ? read("/stores/list", { ...query, ...(favorites && { favorites: true }) }, { signal })
        : read("/stores/search", { ...query, term }, { signal });
    },
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
};

/** The center of a map, and half of its height in degrees of latitude. */
export interface MapView extends Position {
  span: number;
}

/** The pins and clusters of a map view. */
export const mapStoresQuery = (
  { lat, lon, span }: MapView,
  { curbside = false }: { curbside?: boolean | undefined },
) =>
  queryOptions({
    queryKey: storeKeys.map({ lat, lon, span }, curbside),
    queryFn: ({ signal }) =>
      read("/stores/map", { lat, lon, span, ...(curbside && { curb: true }) }, { signal }),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });

/** A store, for its own screens. They measure the distance themselves, so that a new position needs no request. */
export const storeInfoQuery = (storeId: string) =>
  queryOptions({
    queryKey: storeKeys.info(storeId),
    queryFn: ({ signal }) => read("/store/info", { storeId }, { signal }),
    staleTime: STALE_MS,
  });

/** A store as a card of another screen, with its distance if the position is known. */
export const storeCardQuery = (storeId: string, position: Position | null = null) => {
  const at = rounded(position);
  return queryOptions({
    queryKey: storeKeys.storeAt(storeId, at),
    queryFn: ({ signal }) => read("/store/card", { storeId, ...at }, { signal }),
    staleTime: STALE_MS,
  });
};

/** Whether the store is open, how often it is ready on time, and how consumers rate it. */
export const storeStatusQuery = (storeId: string) =>
  queryOptions({
    queryKey: storeKeys.status(storeId),
    queryFn: ({ signal }) => read("/store/status", { storeId }, { signal }),
    staleTime: STALE_MS,
  });

/** Pickup kinds and the promised time of an order placed now. */
export const pickupQuery = (storeId: string) =>
  queryOptions({
    queryKey: storeKeys.pickup(storeId),
    queryFn: ({ signal }) => read("/store/pickup-options", { storeId }, { signal }),
    staleTime: STALE_MS,
    refetchInterval: 60_000,
  });
