import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import type { Position } from "@/lib/geo";
import type { StoreFilters } from "./filters";
import { type Store, storesQuery } from "./queries";

const SEARCH_DEBOUNCE_MS = 250;

const PAGE_SIZE = 40;
/** The maximum of the server. */
const MAX_STORES = 100;

/** With fewer matches in the first page, the stores farther away are loaded as well. */
const MIN_MATCHES = 8;

/** Returns the stores that match the filters, nearest first. */
export function useStores(position: Position | null, filters: StoreFilters) {
  const [take, setTake] = useState(PAGE_SIZE);
  const term = useDebounced((filters.q ?? "").trim());
  const query = useQuery(storesQuery(position, filters, term.length >= 2 ? term : "", take));
  // Deferred, so that rendering many rows does not block taps.
  const data = useDeferredValue(query.data);
  const stores = data?.stores.filter((store) => matchesFilters(store, filters));
  const loaded = data?.stores.length ?? 0;
  const full = loaded >= take;
  const hasMore = full && take < MAX_STORES;
  const needsMore = hasMore && stores !== undefined && stores.length < Math.min(MIN_MATCHES, loaded);
  useEffect(() => {
    if (needsMore) setTake(MAX_STORES);
  }, [needsMore]);
  const showMore = hasMore ? () => setTake((count) => Math.min(MAX_STORES, count + PAGE_SIZE)) : undefined;
  // The previous page stays visible while the next one loads.
  const isSearchingFarther = needsMore || (query.isPlaceholderData && take === MAX_STORES);
  // Also while the list is still that of the previous search.
  const isPlaceholderData = query.isPlaceholderData || data !== query.data;
  return { ...query, isPlaceholderData, stores, term, full, showMore, loaded, isSearchingFarther };
}

/** Applies the filters that the server lacks: open stores, and favorites within a search. */
export function matchesFilters(store: Store, { open, favorites }: StoreFilters): boolean {
  return (!open || store.openState === "open") && (!favorites || store.favorite);
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
