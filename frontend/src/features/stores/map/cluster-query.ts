import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import { type Cluster, STALE_MS, storeKeys } from "../queries";

/** The maximum of the server. */
export const MAX_LISTED = 100;

/** The stores of a cluster: those nearest to it. Its position is not rounded, because another cluster may be only a few meters from it. */
export const clusterStoresQuery = (
  { latitude: lat, longitude: lon, count }: Cluster,
  curbside: true | undefined,
) => {
  const take = Math.min(count, MAX_LISTED);
  return queryOptions({
    queryKey: storeKeys.list("", { lat, lon }, { curbside }, take),
    queryFn: ({ signal }) =>
      read("/stores/list", { lat, lon, take, ...(curbside && { curb: true }) }, { signal }),
    staleTime: STALE_MS,
  });
};
