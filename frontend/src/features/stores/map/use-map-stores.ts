import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { distanceBetween, type Position } from "@/lib/geo";
import type { Narrowing } from "../narrowing";
import { type MapView, mapStoresQuery, type Store } from "../queries";
import { fits } from "../use-stores";

const NOWHERE: MapView = { lat: 0, lon: 0, span: 0 };
const NONE: readonly never[] = [];

/** What stands in the map's view: pins that fit the filters, and clusters, which the server counts without them. */
export function useMapStores(me: Position | null, wanted: Narrowing) {
  const [view, setView] = useState<MapView | null>(null);
  const query = useQuery({
    ...mapStoresQuery(view ?? NOWHERE, { curbside: wanted.curbside }),
    enabled: view !== null,
  });
  const { data } = query;
  const stores = useMemo(() => {
    const middle = me ?? view;
    return (
      (data?.stores ?? NONE)
        .filter((store) => fits(store, wanted))
        .map((store) => ({ store, away: middle ? away(middle, store) : 0 }))
        .sort((a, b) => a.away - b.away)
        // From the person or not at all: how far a store is from the middle of the map says nothing to them.
        .map(({ store, away }) => ({ ...store, distanceMeters: me ? away : null }))
    );
  }, [data, me, view, wanted]);
  return { ...query, stores, clusters: data?.clusters ?? NONE, setView };
}

const away = (from: Position, { latitude, longitude }: Store): number =>
  distanceBetween(from, { lat: latitude, lon: longitude });
