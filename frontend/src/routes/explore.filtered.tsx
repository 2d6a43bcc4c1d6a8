import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { FilterBar } from "@/features/stores/FilterBar";
import { storeFilters } from "@/features/stores/filters";
import { SearchBar } from "@/features/stores/SearchBar";
import { StoreResults } from "@/features/stores/StoreResults";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { useStores } from "@/features/stores/use-stores";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";

export const Route = createFileRoute("/explore/filtered")({
  staticData: { tab: "explore" },
  validateSearch: storeFilters,
  head: () => ({ meta: [{ title: "Search stores · Order Ahead" }] }),
  component: ExploreFiltered,
});

function ExploreFiltered(): ReactNode {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const session = useSession();
  const { position } = useGeolocation();
  const results = useStores(position, filters);
  const change = (search: typeof filters) => void navigate({ search, replace: true, resetScroll: false });
  return (
    <Page header={<Header up={{ to: "/explore" }} title="Search stores" />}>
      <div className="sticky top-0 z-5 bg-ground px-gutter pt-1">
        <SearchBar
          view="list"
          term={filters.q ?? ""}
          onChange={(q) => change({ ...filters, q: q || undefined })}
        />
        <FilterBar value={filters} onChange={change} withFavorites={Boolean(session)} />
      </div>
      <div className="px-gutter">
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
