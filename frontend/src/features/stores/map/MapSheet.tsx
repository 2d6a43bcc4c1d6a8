import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import type { Cluster, Store } from "../queries";
import { StoreRow } from "../StoreRow";

interface MapSheetProps {
  stores: readonly Store[] | undefined;
  clusters: readonly Cluster[];
  located: boolean;
  current: string | undefined;
  error: Error | null;
  onRetry: () => void;
}

/** The stores of the visible map as a list, also for keyboards and screen readers. */
export function MapSheet({ stores, clusters, located, current, error, onRetry }: MapSheetProps): ReactNode {
  const clustered = clusters.reduce((sum, { count }) => sum + count, 0);
  const count = (stores?.length ?? 0) + clustered;
  // The selected store comes first.
  const listed =
    stores && [...stores].sort((a, b) => Number(b.storeId === current) - Number(a.storeId === current));
  return (
    <section
      aria-label="Stores on the map"
      className="relative z-5 -mt-8 flex-1 rounded-t-sheet bg-ground px-gutter pt-3 shadow-bar"
    >
      <div className="mx-auto h-1 w-10 rounded-full bg-line-strong opacity-60" />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-3.5 pb-0.5">
        <h2 className="t-heading" aria-live="polite">
          {stores ? `${count} ${count === 1 ? "store" : "stores"} here` : "Stores here"}
        </h2>
        {located && <span className="t-small text-ink-2">Nearest first</span>}
      </div>
      {!listed && error && (
        <div className="grid justify-items-start gap-3 py-4">
          <p role="alert">{errorMessage(error)}</p>
          <Button variant="soft" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
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
      {stores && clustered > 0 && (
        <p className="t-small py-3 text-ink-2">
          {clustered} more stores are close together. Zoom in to see them.
        </p>
      )}
      {stores && count === 0 && <p className="py-4 text-ink-2">No stores here. Zoom out or move the map.</p>}
    </section>
  );
}
