import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { distanceBetween, type Position } from "@/lib/geo";
import { LoadError } from "@/shell/LoadError";
import { Sheet } from "@/ui/Sheet";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import type { StoreFilters } from "../filters";
import type { Cluster } from "../queries";
import { matchesFilters } from "../use-stores";
import { clusterStoresQuery, MAX_LISTED } from "./cluster-query";
import { PlaceStores } from "./PlaceSheet";

interface ClusterSheetProps {
  cluster: Cluster;
  filters: StoreFilters;
  me: Position | null;
}

/** The stores of a cluster that the map cannot zoom into: those that match the filters. */
export default function ClusterSheet({ cluster, filters, me }: ClusterSheetProps): ReactNode {
  const { data, error, refetch } = useQuery(clusterStoresQuery(cluster, filters.curbside));
  const stores = data?.stores
    .filter((store) => matchesFilters(store, filters))
    // The distances of the response are from the cluster.
    .map((store) => ({ ...store, distanceMeters: me && distanceBetween(me, toPosition(store)) }));
  return (
    <Sheet title={`${cluster.count} stores here`}>
      {!stores && error && <LoadError error={error} onRetry={refetch} />}
      {!stores && !error && (
        <Loading label="Loading stores">
          <SkeletonRows count={6} />
        </Loading>
      )}
      {stores?.length === 0 && <p className="py-4 text-ink-2">None of them matches your filters.</p>}
      {stores && <PlaceStores stores={stores} />}
      {stores && cluster.count > MAX_LISTED && (
        <p className="t-small py-3 text-ink-2">
          These are the nearest {MAX_LISTED}. Search by name for others.
        </p>
      )}
    </Sheet>
  );
}

const toPosition = ({ latitude, longitude }: { latitude: number; longitude: number }): Position => ({
  lat: latitude,
  lon: longitude,
});
