import { Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { useIdleReady } from "@/lib/use-idle-ready";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import type { StoreFilters } from "./filters";
import { formatStoreCount } from "./format";
import { matchCompanies } from "./match-companies";
import type { Store } from "./queries";
import { StoreRow } from "./StoreRow";
import type { useStores } from "./use-stores";

/** Rows that are rendered at once. The others follow in groups while the browser is idle. */
const FIRST_ROWS = 8;
/** Few enough to leave the browser time for a tap between two groups. */
const GROUP_SIZE = 8;

interface StoreResultsProps {
  results: ReturnType<typeof useStores>;
  /** Whether distances are relative to the consumer. */
  located: boolean;
  filters: StoreFilters;
  onClear: () => void;
  /** The store that is selected on the map. */
  current?: string | undefined;
}

/** The list of stores with its loading, error and empty states. */
export function StoreResults({ results, located, filters, onClear, current }: StoreResultsProps): ReactNode {
  const { stores, term, full, showMore, loaded, error, refetch, isFetching, isPlaceholderData } = results;
  if (!stores || (stores.length === 0 && results.isSearchingFarther)) {
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
  // Stores farther away, which are not loaded, may match the filters.
  const noneOf = stores.length === 0 && full ? loaded : undefined;
  const title =
    noneOf === undefined
      ? formatStoreCount(stores.length, located && term.length < 2, full)
      : `None of ${noneOf} stores`;
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
      <MatchedCompanies stores={stores} term={term} />
      {stores.length === 0 ? (
        <NoStores filters={filters} onClear={onClear} noneOf={noneOf} />
      ) : (
        <ul
          aria-busy={isFetching && isPlaceholderData}
          className={`divide-y divide-line transition-opacity duration-fast ${isPlaceholderData ? "opacity-60" : ""}`}
        >
          <GroupedRows stores={stores} current={current} />
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

interface StoreRowsProps {
  stores: readonly Store[];
  current: string | undefined;
}

function GroupedRows({ stores, current }: StoreRowsProps): ReactNode {
  const groups = [];
  for (let start = FIRST_ROWS; start < stores.length; start += GROUP_SIZE) {
    groups.push(<IdleRows key={start} stores={stores.slice(start, start + GROUP_SIZE)} current={current} />);
  }
  return (
    <>
      <StoreRows stores={stores.slice(0, FIRST_ROWS)} current={current} />
      {groups}
    </>
  );
}

function IdleRows(props: StoreRowsProps): ReactNode {
  return useIdleReady() && <StoreRows {...props} />;
}

function StoreRows({ stores, current }: StoreRowsProps): ReactNode {
  return stores.map((store) => (
    <li key={store.storeId}>
      <StoreRow store={store} current={store.storeId === current} />
    </li>
  ));
}

/** Links to the companies that the term names. */
function MatchedCompanies({ stores, term }: { stores: readonly Store[]; term: string }): ReactNode {
  const companies = term.length < 2 ? [] : matchCompanies(stores, term);
  if (companies.length === 0) return null;
  return (
    <ul aria-label="Companies" className="grid gap-2 py-2">
      {companies.map(({ companyId, companyName }) => (
        <li key={companyId}>
          <Link
            to="/company/$companyId"
            params={{ companyId }}
            className="flex min-h-13 items-center justify-between gap-4 rounded-choice bg-surface px-4"
          >
            <span className="t-strong">{companyName}</span>
            <span className="t-small-strong flex items-center gap-0.5 text-accent">
              All stores
              <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface NoStoresProps {
  filters: StoreFilters;
  onClear: () => void;
  /** The number of stores that do not match, if there may be others that do. */
  noneOf: number | undefined;
}

function NoStores({ filters, onClear, noneOf }: NoStoresProps): ReactNode {
  const isFiltered = Boolean(filters.q || filters.open || filters.curbside || filters.favorites);
  const onlyFavorites = filters.favorites && !filters.q && !filters.open && !filters.curbside;
  return (
    <Empty
      title={onlyFavorites ? "No favorites yet" : noneOf ? "No matches nearby" : "No stores found"}
      action={
        isFiltered && (
          <Button variant="soft" onClick={onClear}>
            Show all stores
          </Button>
        )
      }
    >
      {onlyFavorites ? "Tap the heart on a store's menu to save it here." : noStoresAdvice(filters, noneOf)}
    </Empty>
  );
}

function noStoresAdvice({ q, open, curbside, favorites }: StoreFilters, noneOf: number | undefined): string {
  if (noneOf) {
    return open && !q && !curbside && !favorites
      ? `None of the nearest ${noneOf} stores is open right now. Try another area, or order ahead for later.`
      : `None of these ${noneOf} stores matches your filters. Try fewer filters.`;
  }
  const term = q?.trim();
  const hasFilters = open || curbside || favorites;
  if (!term) return "Try another area, or clear your filters.";
  if (hasFilters) return `No store for “${term}” matches your filters. Try fewer filters.`;
  return `No store matches “${term}”. Check the spelling, or try a city or ZIP code.`;
}
