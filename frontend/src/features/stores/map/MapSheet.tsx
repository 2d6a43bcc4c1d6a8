import type { ReactNode } from "react";
import { LoadError } from "@/shell/LoadError";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import type { Cluster, Store } from "../queries";
import { StoreRow } from "../StoreRow";

interface MapSheetProps {
  /** The stores of the view to list, nearest first. Undefined while they load. */
  stores: readonly Store[] | undefined;
  /** The number of pins, which excludes the stores of clusters. */
  pinCount: number;
  clusters: readonly Cluster[];
  located: boolean;
  current: string | undefined;
  error: Error | null;
  onRetry: () => void;
}

/** The stores of the visible map as a list: below the map, or next to it on wide screens; also for keyboards and screen readers. */
export function MapSheet(props: MapSheetProps): ReactNode {
  const { stores, pinCount, clusters, located, current, error, onRetry } = props;
  const clustered = clusters.reduce((sum, { count }) => sum + count, 0);
  const count = pinCount + clustered;
  const unlisted = count - (stores?.length ?? 0);
  // The selected store comes first.
  const listed =
    stores && [...stores].sort((a, b) => Number(b.storeId === current) - Number(a.storeId === current));
  return (
    <section
      aria-label="Stores on the map"
      className="map-screen-list relative z-5 flex-1 bg-ground px-gutter pt-3"
    >
      <div className="map-screen-grab mx-auto h-1 w-10 rounded-full bg-line-strong opacity-60" />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-3.5 pb-0.5">
        <h2 className="t-heading" aria-live="polite">
          {stores ? `${count} ${count === 1 ? "store" : "stores"} here` : "Stores here"}
        </h2>
        {located && <span className="t-small text-ink-2">Nearest first</span>}
      </div>
      {!listed && error && <LoadError error={error} onRetry={onRetry} />}
      {!listed && !error && (
        <Loading label="Loading stores">
          <SkeletonRows count={3} />
        </Loading>
      )}
      {listed && (
        <ul className="divide-y divide-line">
          {listed.map((store) => (
            <li key={store.storeId}>
              <StoreRow store={store} current={store.storeId === current} />
            </li>
          ))}
        </ul>
      )}
      {stores && unlisted > 0 && clusters.length > 0 && (
        <p className="t-small py-3 text-ink-2">{formatHint(unlisted, stores.length)}</p>
      )}
      {stores && count === 0 && <p className="py-4 text-ink-2">No stores here. Zoom out or move the map.</p>}
    </section>
  );
}

/** Leads to the numbers on the map, which have the stores that are not listed. */
function formatHint(unlisted: number, listed: number): string {
  if (listed === 0) return "Tap a number on the map to see its stores.";
  return unlisted === 1
    ? "1 more store is here. Tap a number on the map to see it."
    : `${unlisted} more stores are here. Tap a number on the map to see them.`;
}
