import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import LocateFixed from "lucide-react/icons/locate-fixed";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { NetworkError } from "@/api/errors";
import { FilterBar } from "@/features/stores/FilterBar";
import { MapSheet } from "@/features/stores/map/MapSheet";
import { useMapStores } from "@/features/stores/map/use-map-stores";
import { narrowing } from "@/features/stores/narrowing";
import { type Store, storesQuery } from "@/features/stores/queries";
import { SearchBar } from "@/features/stores/SearchBar";
import { requestPosition, useGeolocation } from "@/features/stores/use-geolocation";
import { useStores } from "@/features/stores/use-stores";
import { deferModule } from "@/lib/defer-module";
import type { Position } from "@/lib/geo";
import { useOnline } from "@/shell/OfflineNotice";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";
import { toast } from "@/ui/toast";

const storeMap = deferModule(() => import("@/features/stores/map/StoreMap"));

export const Route = createFileRoute("/explore/map")({
  staticData: { tab: "explore" },
  validateSearch: narrowing,
  head: () => ({ meta: [{ title: "Map of stores · Order Ahead" }] }),
  loader: () => {
    // Started with the screen, not after its first paint.
    void storeMap.load();
  },
  component: ExploreMap,
});

/** Stores on the ground, with the same ones in a list below. */
function ExploreMap(): ReactNode {
  const wanted = Route.useSearch();
  const navigate = Route.useNavigate();
  const session = useSession();
  const { position } = useGeolocation();
  const map = storeMap.use();
  const online = useOnline();
  const start = useStart(position);
  const here = useMapStores(position, wanted);
  const [current, setCurrent] = useState<string>();
  const goTo = useGoTo(position, wanted);
  const change = (search: typeof wanted) => void navigate({ search, replace: true, resetScroll: false });
  return (
    <Page>
      <h1 tabIndex={-1} className="sr-only">
        Map of stores
      </h1>
      <div className="relative h-[500px] bg-[var(--map-land)]">
        <div className="absolute inset-0">
          {map && start.place && (
            <map.default
              start={start.place}
              me={position}
              goTo={goTo}
              stores={here.stores}
              clusters={here.clusters}
              current={current}
              onView={here.setView}
              onChoose={setCurrent}
            />
          )}
        </div>
        <div className="absolute inset-x-0 top-0 z-4 px-gutter pt-3">
          <SearchBar
            shown="map"
            term={wanted.q ?? ""}
            onChange={(q) => change({ ...wanted, q: q || undefined })}
          />
          <FilterBar value={wanted} onChange={change} withFavorites={Boolean(session)} />
        </div>
        <LocateButton />
      </div>
      <MapSheet
        stores={here.data && here.stores}
        clusters={here.clusters}
        located={position !== null}
        current={current}
        error={here.error ?? start.error ?? (map || online ? null : new NetworkError("network error"))}
        onRetry={() => void (start.error ? start.refetch() : here.refetch())}
      />
    </Page>
  );
}

function LocateButton(): ReactNode {
  const press = async () => {
    const { state } = await requestPosition();
    if (state === "denied") toast("Your browser is blocking your location");
    if (state === "unavailable") toast("We couldn't find your location");
  };
  return (
    <button
      type="button"
      aria-label="Show my location"
      onClick={press}
      className="absolute right-gutter bottom-11 z-4 grid size-target place-items-center rounded-full bg-float text-accent shadow-float"
    >
      <LocateFixed aria-hidden="true" size={24} strokeWidth={1.75} />
    </button>
  );
}

/** Where the map opens: where the person is, or at the first store of the server's own centre. */
function useStart(position: Position | null) {
  const { data, error, refetch } = useQuery(storesQuery(null));
  const [first] = data?.stores ?? [];
  return { place: position ?? (first && placeOf(first)), error, refetch };
}

/** Where the map goes: to the person when they are found, to the best match when they search. */
function useGoTo(position: Position | null, wanted: ReturnType<typeof Route.useSearch>): Position | null {
  const { stores, term, isPlaceholderData } = useStores(position, wanted);
  const best = term.length >= 2 && !isPlaceholderData ? stores?.[0] : undefined;
  const [goTo, setGoTo] = useState<Position | null>(null);
  const found = useMemo(() => best && placeOf(best), [best]);
  useEffect(() => {
    if (found) setGoTo(found);
  }, [found]);
  useEffect(() => {
    if (position) setGoTo(position);
  }, [position]);
  return goTo;
}

const placeOf = ({ latitude, longitude }: Store): Position => ({ lat: latitude, lon: longitude });
