import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { sentence } from "@/api/errors";
import { greeting } from "@/features/home/greeting";
import { pointsQuery } from "@/features/home/queries";
import { RunningOrder } from "@/features/home/RunningOrder";
import { HouseShelf, Shelf, ShelfSilhouette } from "@/features/home/Shelf";
import { usualsOf } from "@/features/home/shelf";
import { Welcome } from "@/features/home/Welcome";
import { useLiveOrders } from "@/features/orders/live";
import { useArrived } from "@/features/orders/mutations";
import { OrderAgain } from "@/features/orders/OrderAgain";
import { fillOf, mayArrive } from "@/features/orders/progress";
import { orderQuery, ordersQuery } from "@/features/orders/queries";
import { stateWords } from "@/features/orders/words";
import { PointsCard } from "@/features/points/PointsCard";
import { LocationNotice } from "@/features/stores/LocationNotice";
import { useWhereabouts } from "@/features/stores/position";
import { storesQuery } from "@/features/stores/queries";
import { StoreRow } from "@/features/stores/StoreRow";
import { vehicleWords } from "@/features/vehicle/words";
import { formatMoney } from "@/lib/money";
import { useNow } from "@/lib/use-now";
import { activeOrdersQuery } from "@/shell/active-orders";
import { Header } from "@/shell/Header";
import { InboxButton } from "@/shell/InboxButton";
import { Page } from "@/shell/Page";
import { type Profile, useSession } from "@/shell/session";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { look } from "@/ui/press";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/")({
  staticData: { tab: "home" },
  head: () => ({ meta: [{ title: "Order Ahead" }] }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(storesQuery(null, {}, "", NEAREST));
  },
  component: Home,
});

/** How many stores home shows. */
const NEAREST = 3;

/** Each part asks for its own and stands without the others: one service that is away leaves the rest of home. */
function Home(): ReactNode {
  const session = useSession();
  const now = useNow(10_000);
  const title = greeting(now, session?.firstName);
  return (
    <Page header={<Header large title={title} actions={<InboxButton />} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-7 pt-1">
        {session === null && <Welcome />}
        {session && <RunningOrders session={session} now={now} />}
        {session && <Usuals />}
        <Near />
        {session && <Points />}
      </div>
    </Page>
  );
}

function RunningOrders({ session, now }: { session: Profile; now: Date }): ReactNode {
  const { data } = useQuery(activeOrdersQuery(session.id));
  const orders = data?.orders ?? [];
  useLiveOrders(orders.length > 0);
  if (orders.length === 0) return null;
  return (
    <div className="grid gap-3">
      {orders.map((order) => (
        <Running key={order.orderId} orderId={order.orderId} listed={order} now={now} />
      ))}
    </div>
  );
}

type Listed = Parameters<typeof RunningOrder>[0]["order"];

/** The list says which orders run; the stream writes each change into the order itself. */
function Running({ orderId, listed, now }: { orderId: string; listed: Listed; now: Date }): ReactNode {
  const { data: order = listed } = useQuery({ ...orderQuery(orderId), initialData: listed });
  return (
    <RunningOrder
      order={order}
      words={stateWords(order)}
      fill={fillOf(order, now)}
      now={now}
      arrive={<ImHere order={order} />}
    />
  );
}

/** Tells the bar. An order that comes to the car and has none named yet is followed instead: it asks there. */
function ImHere({ order }: { order: Listed }): ReactNode {
  const arrived = useArrived();
  const vehicle = order.pickup === "curbside" ? order.vehicle || vehicleWords(device.vehicle.get()) : "";
  if (!mayArrive(order) || (order.pickup === "curbside" && vehicle === "")) return null;
  return (
    <button
      type="button"
      aria-busy={arrived.isPending || undefined}
      onClick={() => !arrived.isPending && arrived.mutate({ orderId: order.orderId, vehicle })}
      className="t-strong min-h-target rounded-pill bg-inverse-accent px-4.5 text-inverse-on-accent transition-transform duration-press active:scale-[0.98]"
    >
      I’m here
    </button>
  );
}

function Usuals(): ReactNode {
  const { data, error, refetch } = useInfiniteQuery(ordersQuery);
  const usuals = usualsOf(data?.pages.flat() ?? []);
  return (
    <section aria-labelledby="usuals">
      <div className="relative z-2 -mb-3.5 flex items-baseline justify-between gap-4 px-gutter">
        <h2 id="usuals" className="t-heading">
          Order again
        </h2>
        {usuals.length > 0 && (
          <Link to="/orders" className={look("link")}>
            All orders
          </Link>
        )}
      </div>
      {!data && !error && (
        <Loading label="Loading what you ordered">
          <ShelfSilhouette />
        </Loading>
      )}
      {error && !data && (
        <div className="grid justify-items-start gap-3 px-gutter pt-6">
          <p className="text-ink-2">{sentence(error)}</p>
          <Button look="soft" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data && usuals.length > 0 && (
        <Shelf
          usuals={usuals}
          again={(order) => (
            <OrderAgain order={order} label={`Order again · ${formatMoney(order.subtotal)}`} />
          )}
        />
      )}
      {data && usuals.length === 0 && (
        <HouseShelf>
          <p className="pt-3 text-ink-2">What you order comes to stand here, one press from the next one.</p>
          <Link to="/explore" className={look("link")}>
            Choose a store
            <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
          </Link>
        </HouseShelf>
      )}
    </section>
  );
}

function Near(): ReactNode {
  const { position } = useWhereabouts();
  const { data, error, refetch } = useQuery(storesQuery(position, {}, "", NEAREST));
  return (
    <section aria-labelledby="near" className="px-gutter">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="near" className="t-heading">
          {position ? "Near you" : "Stores"}
        </h2>
        <Link to="/explore/map" className={look("link")}>
          Map
          <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
        </Link>
      </div>
      <LocationNotice />
      {!data && !error && (
        <Loading label="Looking for stores">
          <SkeletonRows count={NEAREST} />
        </Loading>
      )}
      {!data && error && (
        <div className="grid justify-items-start gap-3 py-3">
          <p role="alert" className="text-ink-2">
            {sentence(error)}
          </p>
          <Button look="soft" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data && (
        <ul className="divide-y divide-line">
          {data.stores.map((store) => (
            <li key={store.storeId}>
              <StoreRow store={store} brief />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Nothing at all where points are away: home is no place for their failure. */
function Points(): ReactNode {
  const { data, isPending } = useQuery(pointsQuery);
  if (isPending) {
    return (
      <div className="px-gutter">
        <SkeletonBlock className="h-31" />
      </div>
    );
  }
  if (!data) return null;
  return (
    <div className="px-gutter">
      <div className="rounded-card bg-surface p-4">
        <PointsCard points={data} />
      </div>
    </div>
  );
}
