import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Position } from "@/lib/geo";
import type { StoreFilters } from "./filters";
import { type Store, storesQuery } from "./queries";

const SEARCH_DEBOUNCE_MS = 250;

const PAGE_SIZE = 40;
/** The maximum of the server. */
const MAX_STORES = 100;

/** Returns the stores that match the filters, nearest first. */
export function useStores(position: Position | null, filters: StoreFilters) {
  const [take, setTake] = useState(PAGE_SIZE);
  const term = useDebounced((filters.q ?? "").trim());
  const query = useQuery(storesQuery(position, filters, term.length >= 2 ? term : "", take));
  const stores = query.data?.stores.filter((store) => matchesFilters(store, filters));
  const full = (query.data?.stores.length ?? 0) >= take;
  const showMore =
    full && take < MAX_STORES ? () => setTake((count) => Math.min(MAX_STORES, count + PAGE_SIZE)) : undefined;
  return { ...query, stores, term, full, showMore };
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
