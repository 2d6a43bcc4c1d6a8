import { createFileRoute } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { FilterBar } from "@/features/stores/FilterBar";
import { LocationNotice } from "@/features/stores/LocationNotice";
import { narrowing } from "@/features/stores/narrowing";
import { SearchBar } from "@/features/stores/SearchBar";
import { StoreResults } from "@/features/stores/StoreResults";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { useStores } from "@/features/stores/use-stores";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";

export const Route = createFileRoute("/explore/")({
  staticData: { tab: "explore" },
  validateSearch: narrowing,
  head: () => ({ meta: [{ title: "Stores · Order Ahead" }] }),
  component: Explore,
});

/** Stores as a list. Its frame needs no data, so it is there at once; the rows come into it. */
function Explore(): ReactNode {
  const wanted = Route.useSearch();
  const navigate = Route.useNavigate();
  const session = useSession();
  const { position } = useGeolocation();
  const results = useStores(position, wanted);
  const change = (search: typeof wanted) => void navigate({ search, replace: true, resetScroll: false });
  return (
    <Page header={<Header large title="Explore" />}>
      <div className="sticky top-0 z-5 bg-ground px-gutter pt-1">
        <SearchBar
          shown="list"
          term={wanted.q ?? ""}
          onChange={(q) => change({ ...wanted, q: q || undefined })}
        />
        <FilterBar value={wanted} onChange={change} withFavorites={Boolean(session)} />
      </div>
      <div className="px-gutter">
        <LocationNotice />
        <StoreResults
          results={results}
          located={position !== null}
          wanted={wanted}
          onClear={() => change({})}
        />
      </div>
    </Page>
  );
}
