import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { distanceBetween, type Position } from "@/lib/geo";
import type { StoreFilters } from "../filters";
import { type MapView, mapStoresQuery, type Store } from "../queries";
import { matchesFilters } from "../use-stores";

const NO_VIEW: MapView = { lat: 0, lon: 0, span: 0 };
const NONE: readonly never[] = [];

/** Returns the pins that match the filters, and the clusters, which the server counts without filters. */
export function useMapStores(me: Position | null, filters: StoreFilters) {
  const [view, setView] = useState<MapView | null>(null);
  const query = useQuery({
    ...mapStoresQuery(view ?? NO_VIEW, { curbside: filters.curbside }),
    enabled: view !== null,
  });
  const { data } = query;
  const stores = useMemo(() => {
    const origin = me ?? view;
    return (
      (data?.stores ?? NONE)
        .filter((store) => matchesFilters(store, filters))
        .map((store) => ({ store, distance: origin ? distanceTo(store, origin) : 0 }))
        .sort((a, b) => a.distance - b.distance)
        // A distance from the center of the map would be meaningless to the consumer.
        .map(({ store, distance }) => ({ ...store, distanceMeters: me ? distance : null }))
    );
  }, [data, me, view, filters]);
  return { ...query, stores, clusters: data?.clusters ?? NONE, setView };
}

const distanceTo = ({ latitude, longitude }: Store, from: Position): number =>
  distanceBetween(from, { lat: latitude, lon: longitude });
