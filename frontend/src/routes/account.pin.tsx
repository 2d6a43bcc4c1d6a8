import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { errorMessage } from "@/api/errors";
import { PinCard } from "@/features/counter-pin/PinCard";
import { PinGuide } from "@/features/counter-pin/PinGuide";
import { counterPinQuery } from "@/features/counter-pin/queries";
import { LocationNotice } from "@/features/stores/LocationNotice";
import { type Store, storesQuery } from "@/features/stores/queries";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { AddFundsLink } from "@/features/wallet/AddFundsLink";
import { formatDistance } from "@/lib/geo";
import { searchParam } from "@/lib/search";
import { Header } from "@/shell/Header";
import { LoadError } from "@/shell/LoadError";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/account/pin")({
  validateSearch: object({ storeId: searchParam(string()) }),
  beforeLoad: requireSession,
  component: CounterPinScreen,
});

function CounterPinScreen(): ReactNode {
  const { storeId } = Route.useSearch();
  const showedGuide = useItem(device.showedPinGuide);
  return (
    <Page header={<Header title="Pay at the counter" up={{ to: "/my-joe" }} />}>
      <div className="grid gap-5 px-gutter pt-4">
        {storeId === undefined ? (
          <PickStore />
        ) : showedGuide ? (
          <Pin storeId={storeId} />
        ) : (
          // The PIN is created after the guide, so that it does not expire while it is read.
          <PinGuide onDone={() => device.showedPinGuide.set(true)} />
        )}
      </div>
    </Page>
  );
}

function Pin({ storeId }: { storeId: string }): ReactNode {
  const pin = useQuery(counterPinQuery(storeId));
  if (pin.data && !pin.isRefetchError) {
    return (
      <>
        <PinCard
          pin={pin.data}
          renewing={pin.isFetching}
          onRenew={() => void pin.refetch()}
          emptyAction={<AddFundsLink />}
        />
        <p className="t-small text-center text-ink-2">Only share it with the barista at the counter.</p>
        <ChangeStore />
      </>
    );
  }
  if (pin.error) {
    return (
      <>
        <Empty
          title="We couldn't create a PIN"
          action={
            <Button busy={pin.isFetching} onClick={() => void pin.refetch()}>
              Try again
            </Button>
          }
        >
          <p role="alert">{errorMessage(pin.error)}</p>
        </Empty>
        <ChangeStore />
      </>
    );
  }
  return (
    <Loading label="Creating your PIN">
      <SkeletonBlock className="h-72 rounded-sheet" />
    </Loading>
  );
}

function ChangeStore(): ReactNode {
  return (
    <div className="text-center">
      <Link to="/account/pin" search={{}} replace className={buttonVariants("link")}>
        I'm at another store
      </Link>
    </div>
  );
}

const STORE_COUNT = 8;

/** The stores to choose from, nearest first: a PIN works at one store only. */
function PickStore(): ReactNode {
  const { position } = useGeolocation();
  const { data, error, refetch } = useQuery(storesQuery(position, {}, "", STORE_COUNT));
  return (
    <section>
      <h2 className="t-title">Which store are you at?</h2>
      <p className="mt-1 text-ink-2">Your PIN works at this store only.</p>
      <div className="pt-3">
        <LocationNotice />
      </div>
      {data ? (
        <StoreChoices stores={data.stores} />
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <Loading label="Loading stores">
          <SkeletonRows count={5} />
        </Loading>
      )}
    </section>
  );
}

function StoreChoices({ stores }: { stores: readonly Store[] }): ReactNode {
  if (stores.length === 0) return <p className="py-3 text-ink-2">No stores near you.</p>;
  return (
    <ul aria-label="Stores" className="divide-y divide-line">
      {stores.map((store) => (
        <li key={store.storeId}>
          <Link
            to="/account/pin"
            search={{ storeId: store.storeId }}
            replace
            className="flex min-h-16 items-center gap-4 py-2.5"
          >
            <span className="min-w-0 flex-1">
              <span className="t-strong block">{store.name}</span>
              <span className="t-small block truncate text-ink-2">
                {[store.street, store.distanceMeters !== null && formatDistance(store.distanceMeters)]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </span>
            <ChevronRight aria-hidden="true" size={20} className="shrink-0 text-accent" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
