import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { distanceBetween, type Position } from "@/lib/geo";
import type { StoreFilters } from "../filters";
import { type MapView, mapStoresQuery, type Store, storesQuery } from "../queries";
import { matchesFilters } from "../use-stores";

/** A view with the half of its extent in degrees: the views of the server are square in kilometers, but most maps are not. */
export interface VisibleView extends MapView {
  north: number;
  east: number;
}

const NO_VIEW: MapView = { lat: 0, lon: 0, span: 0 };
const NONE: readonly never[] = [];

/** Stores of clusters that the list shows. */
const LISTED_STORES = 20;

/**
 * Returns the pins that match the filters, the clusters, which the server counts without filters, and the list: the nearest stores
 * of the view first, also those that the map shows as part of a cluster.
 */
export function useMapStores(me: Position | null, filters: StoreFilters) {
  const [view, setView] = useState<VisibleView | null>(null);
  const query = useQuery({
    ...mapStoresQuery(view ?? NO_VIEW, { curbside: filters.curbside }),
    enabled: view !== null,
  });
  const { data } = query;
  const clusters = data?.clusters ?? NONE;
  const origin = me && view && isInView(me, view) ? me : view;
  const nearest = useQuery({
    ...storesQuery(origin, { curbside: filters.curbside }, "", LISTED_STORES),
    enabled: origin !== null && clusters.length > 0,
  });
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
  const listed = useMemo(() => {
    if (clusters.length === 0 || !view || !nearest.data) return stores;
    const pinned = new Set(stores.map(({ storeId }) => storeId));
    const clustered = nearest.data.stores.filter(
      (store) =>
        !pinned.has(store.storeId) && matchesFilters(store, filters) && isInView(toPosition(store), view),
    );
    const from = origin ?? view;
    return [...stores, ...clustered]
      .map((store) => ({ ...store, distanceMeters: me ? distanceTo(store, me) : null }))
      .sort((a, b) => distanceTo(a, from) - distanceTo(b, from));
  }, [clusters, view, nearest.data, stores, filters, origin, me]);
  const visibleClusters = useMemo(
    () => clusters.filter((cluster) => view && isInView(toPosition(cluster), view)),
    [clusters, view],
  );
  return { ...query, stores, listed, clusters, visibleClusters, setView };
}

const toPosition = ({ latitude, longitude }: Pick<Store, "latitude" | "longitude">): Position => ({
  lat: latitude,
  lon: longitude,
});

const isInView = ({ lat, lon }: Position, view: VisibleView): boolean =>
  Math.abs(lat - view.lat) <= view.north && Math.abs(lon - view.lon) <= view.east;

const distanceTo = ({ latitude, longitude }: Store, from: Position): number =>
  distanceBetween(from, { lat: latitude, lon: longitude });
