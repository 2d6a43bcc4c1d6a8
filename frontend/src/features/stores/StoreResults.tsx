import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import type { StoreFilters } from "./filters";
import { formatStoreCount } from "./format";
import { StoreRow } from "./StoreRow";
import type { useStores } from "./use-stores";

interface StoreResultsProps {
  results: ReturnType<typeof useStores>;
  /** Whether distances are relative to the consumer. */
  located: boolean;
  filters: StoreFilters;
  onClear: () => void;
  /** The store whose pin is selected on the map. */
  current?: string | undefined;
}

/** The list of stores with its loading, error and empty states. */
export function StoreResults({ results, located, filters, onClear, current }: StoreResultsProps): ReactNode {
  const { stores, term, full, showMore, error, refetch, isFetching, isPlaceholderData } = results;
  if (!stores) {
    if (error) {
      return (
        <Empty
          title="We couldn't load stores"
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          <p role="alert">{errorMessage(error)}</p>
        </Empty>
      );
    }
    return (
      <Loading label="Loading stores">
        <SkeletonRows count={6} />
      </Loading>
    );
  }
  const title = formatStoreCount(stores.length, located && term.length < 2, full);
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-2 pb-0.5">
        <h2 className="t-heading" aria-live="polite">
          {title}
        </h2>
        {term.length < 2 && (
          <span className="t-small text-ink-2">{located ? "Nearest first" : "Location is off"}</span>
        )}
      </div>
      {stores.length === 0 ? (
        <NoStores filters={filters} onClear={onClear} />
      ) : (
        <ul
          aria-busy={isFetching && isPlaceholderData}
          className={`divide-y divide-line transition-opacity duration-fast ${isPlaceholderData ? "opacity-60" : ""}`}
        >
          {stores.map((store) => (
            <li key={store.storeId}>
              <StoreRow store={store} current={store.storeId === current} />
            </li>
          ))}
        </ul>
      )}
      {showMore && stores.length > 0 && (
        <div className="pt-4 text-center">
          <Button variant="soft" busy={isFetching} onClick={showMore}>
            Show more stores
          </Button>
        </div>
      )}
    </>
  );
}

function NoStores({ filters, onClear }: { filters: StoreFilters; onClear: () => void }): ReactNode {
  const isFiltered = Boolean(filters.q || filters.open || filters.curbside || filters.favorites);
  const onlyFavorites = filters.favorites && !filters.q && !filters.open && !filters.curbside;
  return (
    <Empty
      title={onlyFavorites ? "No favorites yet" : "No stores found"}
      action={
        isFiltered && (
          <Button variant="soft" onClick={onClear}>
            Show all stores
          </Button>
        )
      }
    >
      {onlyFavorites ? "Tap the heart on a store's menu to save it here." : noStoresAdvice(filters)}
    </Empty>
  );
}

function noStoresAdvice({ q, open, curbside, favorites }: StoreFilters): string {
  const term = q?.trim();
  const hasFilters = open || curbside || favorites;
  if (!term) return "Try another area, or clear your filters.";
  if (hasFilters) return `No store for “${term}” matches your filters. Try fewer filters.`;
  return `No store matches “${term}”. Check the spelling, or try a city or ZIP code.`;
}
