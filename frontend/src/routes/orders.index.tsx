import { useQuery, useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { OrderAgain } from "@/features/orders/OrderAgain";
import { ActiveOrderRow, OrderRow } from "@/features/orders/OrderRow";
import { getListPollInterval } from "@/features/orders/poll-interval";
import { type Order, ordersQuery } from "@/features/orders/queries";
import { useLiveOrders } from "@/features/orders/use-live-orders";
import { isActive } from "@/lib/order-status";
import { Header } from "@/shell/Header";
import { InboxButton } from "@/shell/InboxButton";
import { Page } from "@/shell/Page";
import { activeOrdersQuery } from "@/shell/queries";
import { requireSession, useSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { useHasFailedPayment } from "./-order-failed-payments";

export const Route = createFileRoute("/orders/")({
  staticData: { tab: "orders" },
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(ordersQuery);
  },
  component: Orders,
  pendingComponent: OrdersSkeleton,
});

function Orders(): ReactNode {
  const orders = useSuspenseInfiniteQuery(ordersQuery);
  const all = orders.data.pages.flat();
  const past = all.filter((order) => !isActive(order));
  const active = useActiveOrders() ?? all.filter(isActive);
  const hasFailedPayment = useHasFailedPayment(past);
  if (active.length + past.length === 0) return <NoOrders />;
  return (
    <Page header={<Header large title="Orders" actions={<InboxButton />} />}>
      <div className="px-gutter pt-2">
        {active.length > 0 && (
          <section aria-label="Active orders" className="pb-6">
            <ul className="grid gap-3">
              {active.map((order) => (
                <ActiveOrderRow key={order.orderId} order={order} />
              ))}
            </ul>
          </section>
        )}
        {past.length > 0 && (
          <section>
            <h2 className="t-heading">Past orders</h2>
            <ul className="divide-y divide-line">
              {past.map((order) => (
                <OrderRow
                  key={order.orderId}
                  order={order}
                  hasFailedPayment={hasFailedPayment(order)}
                  action={<OrderAgain order={order} />}
                />
              ))}
            </ul>
          </section>
        )}
        {orders.hasNextPage && (
          <div className="pt-4 text-center">
            <Button variant="soft" busy={orders.isFetchingNextPage} onClick={() => orders.fetchNextPage()}>
              Show older orders
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

/** Follows the active orders. Unlike the history, they include orders that wait for the payment to be confirmed. */
function useActiveOrders(): readonly Order[] | undefined {
  const userId = useSession()?.id ?? "";
  const query = { ...activeOrdersQuery(userId), enabled: userId !== "" };
  const { data } = useQuery(query);
  const isLive = useLiveOrders((data?.orders.length ?? 0) > 0);
  useQuery({
    ...query,
    refetchInterval: ({ state }) => getListPollInterval(state.data?.orders ?? [], isLive),
  });
  return data?.orders;
}

function NoOrders(): ReactNode {
  return (
    <Page header={<Header large title="Orders" actions={<InboxButton />} />}>
      <Empty
        title="No orders yet"
        action={
          <Link to="/explore" className={buttonVariants("solid")}>
            Find a store
          </Link>
        }
      >
        <p>Track your order here, and reorder it anytime.</p>
      </Empty>
    </Page>
  );
}

function OrdersSkeleton(): ReactNode {
  return (
    <Page header={<Header large title="Orders" />}>
      <Loading label="Loading your orders">
        <div className="px-gutter pt-2">
          <SkeletonBlock className="h-28" />
          <SkeletonRows />
        </div>
      </Loading>
    </Page>
  );
}
