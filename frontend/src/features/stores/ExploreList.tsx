import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";
import { FilterBar } from "./FilterBar";
import type { StoreFilters } from "./filters";
import { SearchBar } from "./SearchBar";
import { StoreResults } from "./StoreResults";
import { useGeolocation } from "./use-geolocation";
import { useStores } from "./use-stores";

interface ExploreListProps {
  header: ReactNode;
  /** A message above the stores. */
  notice?: ReactNode;
  filters: StoreFilters;
}

/** The list of stores with search and filters. The filters are the search parameters of the screen. */
export function ExploreList({ header, notice, filters }: ExploreListProps): ReactNode {
  const navigate = useNavigate();
  const session = useSession();
  const { position } = useGeolocation();
  const results = useStores(position, filters);
  const change = (search: StoreFilters) =>
    void navigate({ to: ".", search, replace: true, resetScroll: false });
  return (
    <Page header={header}>
      <div className="sticky top-0 z-5 bg-ground px-gutter pt-1">
        <SearchBar
          view="list"
          term={filters.q ?? ""}
          onChange={(q) => change({ ...filters, q: q || undefined })}
        />
        <FilterBar value={filters} onChange={change} withFavorites={Boolean(session)} />
      </div>
      <div className="px-gutter">
        {notice}
        <StoreResults
          results={results}
          located={position !== null}
          filters={filters}
          onClear={() => change({})}
        />
      </div>
    </Page>
  );
}
