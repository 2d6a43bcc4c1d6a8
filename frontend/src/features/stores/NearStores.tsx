import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { LoadError } from "@/shell/LoadError";
import { buttonVariants } from "@/ui/button-variants";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import { LocationNotice } from "./LocationNotice";
import { storesQuery } from "./queries";
import { StoreRow } from "./StoreRow";
import { useGeolocation } from "./use-geolocation";

/** The nearest stores with a link to the map. */
export function NearStores({ count }: { count: number }): ReactNode {
  const { position } = useGeolocation();
  const { data, error, refetch } = useQuery(storesQuery(position, {}, "", count));
  return (
    <section aria-labelledby="near" className="px-gutter">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="near" className="t-heading">
          {position ? "Near you" : "Stores"}
        </h2>
        <Link to="/explore/map" className={buttonVariants("link")}>
          Map
          <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
        </Link>
      </div>
      <LocationNotice />
      {!data && !error && (
        <Loading label="Loading stores">
          <SkeletonRows count={count} />
        </Loading>
      )}
      {!data && error && <LoadError error={error} onRetry={refetch} />}
      {data && (
        <ul className="divide-y divide-line">
          {data.stores.map((store) => (
            <li key={store.storeId}>
              <StoreRow store={store} brief />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
