import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import LocateFixed from "lucide-react/icons/locate-fixed";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { NetworkError } from "@/api/errors";
import { FilterBar } from "@/features/stores/FilterBar";
import { storeFilters } from "@/features/stores/filters";
import { MapSheet } from "@/features/stores/map/MapSheet";
import { useMapStores } from "@/features/stores/map/use-map-stores";
import { type Store, storesQuery } from "@/features/stores/queries";
import { SearchBar } from "@/features/stores/SearchBar";
import { requestPosition, useGeolocation } from "@/features/stores/use-geolocation";
import { useStores } from "@/features/stores/use-stores";
import { deferModule } from "@/lib/defer-module";
import type { Position } from "@/lib/geo";
import { useOnline } from "@/lib/use-online";
import { isInNativeShell } from "@/native/shell";
import { Page } from "@/shell/Page";
import { useSession } from "@/shell/session";
import { toast } from "@/ui/toast";
import "@/features/stores/map/map-screen.css";

const storeMap = deferModule(() => import("@/features/stores/map/StoreMap"));

export const Route = createFileRoute("/explore/map")({
  staticData: { tab: "explore" },
  validateSearch: storeFilters,
  loader: () => {
    // Starts before the first paint.
    void storeMap.load();
  },
  component: ExploreMap,
});

function ExploreMap(): ReactNode {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const session = useSession();
  const { position } = useGeolocation();
  const map = storeMap.use();
  const online = useOnline();
  const start = useInitialPosition(position);
  const mapStores = useMapStores(position, filters);
  const [current, setCurrent] = useState<string>();
  const [goTo, setTarget] = useMapTarget(position, filters);
  const change = (search: typeof filters) => void navigate({ search, replace: true, resetScroll: false });
  const error = mapStores.error ?? start.error ?? (map || online ? null : new NetworkError("network error"));
  return (
    <Page>
      <h1 tabIndex={-1} className="sr-only">
        Map of stores
      </h1>
      <div className={`map-screen ${error && !mapStores.data ? "map-screen-failed" : ""}`}>
        {/* Beside the map, so that it does not cover a pin. */}
        <div className="map-screen-head px-gutter pt-3">
          <SearchBar
            view="map"
            term={filters.q ?? ""}
            onChange={(q) => change({ ...filters, q: q || undefined })}
          />
          <FilterBar value={filters} onChange={change} withFavorites={Boolean(session)} />
        </div>
        {((map && start.position) || !error) && (
          <div className="map-screen-map">
            {map && start.position && (
              <map.default
                start={start.position}
                near={start.near}
                me={position}
                goTo={goTo}
                stores={mapStores.stores}
                clusters={mapStores.clusters}
                filters={filters}
                current={current}
                onView={mapStores.setView}
                onChoose={setCurrent}
              />
            )}
            <LocateButton onFound={setTarget} />
          </div>
        )}
        <MapSheet
          stores={mapStores.data && mapStores.listed}
          pinCount={mapStores.stores.length}
          clusters={mapStores.visibleClusters}
          located={position !== null}
          current={current}
          error={error}
          onRetry={() => void (start.error ? start.refetch() : mapStores.refetch())}
        />
      </div>
    </Page>
  );
}

function LocateButton({ onFound }: { onFound: (position: Position) => void }): ReactNode {
  const showMyLocation = async () => {
    const { state, position } = await requestPosition();
    if (position) onFound(position);
    if (state === "denied") {
      toast(isInNativeShell() ? "Location is off for this app" : "Your browser is blocking your location");
    }
    if (state === "unavailable") toast("We couldn't find your location");
  };
  return (
    <button
      type="button"
      aria-label="Show my location"
      onClick={showMyLocation}
      className="map-screen-locate grid size-target place-items-center rounded-full bg-float text-accent shadow-float"
    >
      <LocateFixed aria-hidden="true" size={24} strokeWidth={1.75} />
    </button>
  );
}

/** How many of the nearest stores the map shows at first, if the location is unknown. */
const NEAR_STORES = 8;

/** Returns the initial position: the consumer, or the first store near the configured center with the stores next to it. */
function useInitialPosition(position: Position | null) {
  const { data, error, refetch } = useQuery(storesQuery(null));
  const near = data?.stores.slice(0, NEAR_STORES).map(toPosition) ?? [];
  return { position: position ?? near[0], near: position ? [] : near, error, refetch };
}

/** Returns the position to move to, and sets it: the consumer, or the best match of a search. */
function useMapTarget(position: Position | null, filters: ReturnType<typeof Route.useSearch>) {
  const { stores, term, isPlaceholderData } = useStores(position, filters);
  const best = term.length >= 2 && !isPlaceholderData ? stores?.[0] : undefined;
  const [target, setTarget] = useState<Position | null>(null);
  const isAtConsumer = useRef(false);
  const shownTerm = useRef("");
  useEffect(() => {
    if (term.length < 2) shownTerm.current = "";
    // Once for each search: an update of the location loads its results again.
    if (!best || shownTerm.current === term) return;
    shownTerm.current = term;
    setTarget(toPosition(best));
  }, [best, term]);
  useEffect(() => {
    // An update of the location does not move the map away from what the consumer looks at.
    if (!position || isAtConsumer.current) return;
    isAtConsumer.current = true;
    setTarget(position);
  }, [position]);
  return [target, setTarget] as const;
}

const toPosition = ({ latitude, longitude }: Store): Position => ({ lat: latitude, lon: longitude });
