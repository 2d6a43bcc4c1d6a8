import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LoadError } from "@/shell/LoadError";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import { companyStoresQuery } from "./company-queries";
import { LocationNotice } from "./LocationNotice";
import { StoreRow } from "./StoreRow";
import { useGeolocation } from "./use-geolocation";

/** The stores of a company, nearest first. */
export function CompanyStores({ companyId }: { companyId: string }): ReactNode {
  const { position } = useGeolocation();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    companyStoresQuery(companyId, position),
  );
  const stores = data?.pages.flat();
  return (
    <section aria-labelledby="company-stores" className="px-gutter pt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2">
        <h2 id="company-stores" className="t-heading">
          Stores
        </h2>
        {position && <span className="t-small text-ink-2">Nearest first</span>}
      </div>
      <LocationNotice />
      {!stores && !error && (
        <Loading label="Loading stores">
          <SkeletonRows count={4} />
        </Loading>
      )}
      {!stores && error && <LoadError error={error} onRetry={refetch} />}
      {stores?.length === 0 && (
        <Empty
          title="No stores yet"
          action={
            <Link to="/explore" className={buttonVariants("solid")}>
              Find another store
            </Link>
          }
        >
          This company hasn't opened a store here yet.
        </Empty>
      )}
      {stores && stores.length > 0 && (
        <ul className="divide-y divide-line">
          {stores.map((store) => (
            <li key={store.storeId}>
              <StoreRow store={store} ofCompany />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="pt-4 text-center">
          <Button variant="soft" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more stores
          </Button>
        </div>
      )}
    </section>
  );
}
