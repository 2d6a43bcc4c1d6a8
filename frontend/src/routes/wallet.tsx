import { useInfiniteQuery, useSuspenseInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useMemo } from "react";
import { ordersQuery } from "@/features/orders/queries";
import { MethodList } from "@/features/payment-methods/MethodList";
import { paymentMethodsQuery } from "@/features/payment-methods/queries";
import { Activity } from "@/features/wallet/Activity";
import { transactionsQuery } from "@/features/wallet/queries";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Loading, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/wallet")({
  staticData: { tab: "my-joe" },
  head: () => ({ meta: [{ title: "Wallet · Order Ahead" }] }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(paymentMethodsQuery());
    void queryClient.prefetchInfiniteQuery(transactionsQuery);
  },
  component: Wallet,
  pendingComponent: WalletSkeleton,
});

function Wallet(): ReactNode {
  const session = useSession();
  const { data: methods } = useSuspenseQuery(paymentMethodsQuery());
  return (
    <Page header={<Header title="Wallet" up={{ to: "/my-joe" }} />}>
      <div className="grid gap-6 px-gutter pt-4">
        <section>
          <h2 className="t-heading">Payment methods</h2>
          <MethodList methods={methods} />
          <Link
            to="/account/add-credit-card"
            search={{ userId: session?.id, next: "/wallet" }}
            className={buttonVariants("soft")}
          >
            <Plus aria-hidden="true" size={20} /> Add a card
          </Link>
        </section>
        <AllActivity />
      </div>
    </Page>
  );
}

function AllActivity(): ReactNode {
  const activity = useSuspenseInfiniteQuery(transactionsQuery);
  const { data: orderPages } = useInfiniteQuery(ordersQuery);
  const orders = useMemo(
    () => new Map(orderPages?.pages.flat().map((order) => [order.orderId, order])),
    [orderPages],
  );
  const all = activity.data.pages.flat();
  return (
    <section id="activity">
      <h2 className="t-heading">Activity</h2>
      {all.length === 0 && <p className="mt-1 text-ink-2">No activity yet.</p>}
      <Activity transactions={all} orders={orders} />
      {activity.hasNextPage && (
        <div className="pt-3 text-center">
          <Button variant="soft" busy={activity.isFetchingNextPage} onClick={() => activity.fetchNextPage()}>
            Show older activity
          </Button>
        </div>
      )}
    </section>
  );
}

function WalletSkeleton(): ReactNode {
  return (
    <Page header={<Header title="Wallet" up={{ to: "/my-joe" }} />}>
      <Loading label="Loading your wallet">
        <div className="px-gutter pt-4">
          <SkeletonRows count={5} />
        </div>
      </Loading>
    </Page>
  );
}
