import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import CreditCard from "lucide-react/icons/credit-card";
import { type ReactNode, useMemo } from "react";
import { errorMessage } from "@/api/errors";
import { ordersQuery } from "@/features/orders/queries";
import { PointsCard } from "@/features/points/PointsCard";
import { Activity } from "@/features/wallet/Activity";
import { JoePass } from "@/features/wallet/JoePass";
import { type MyJoe as MyJoeData, myJoeQuery, transactionsQuery } from "@/features/wallet/queries";
import { cents, formatMoney } from "@/lib/money";
import { Header } from "@/shell/Header";
import { InboxButton } from "@/shell/InboxButton";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Notice } from "@/ui/Notice";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/my-joe")({
  staticData: { tab: "my-joe" },
  head: () => ({ meta: [{ title: "My Joe · Order Ahead" }] }),
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(myJoeQuery);
    void queryClient.prefetchInfiniteQuery(transactionsQuery);
  },
  component: MyJoe,
  pendingComponent: MyJoeSkeleton,
});

/** Transactions shown here. The wallet shows all of them. */
const RECENT_COUNT = 5;

function MyJoe(): ReactNode {
  const { data: myJoe } = useSuspenseQuery(myJoeQuery);
  return (
    <Page header={<Header large title="My Joe" actions={<InboxButton />} />}>
      <div className="grid gap-5 px-gutter pt-2">
        <Balances myJoe={myJoe} />
        {myJoe.points ? (
          <PointsCard points={myJoe.points} />
        ) : (
          <Notice>We can't load your points right now. They're safe.</Notice>
        )}
        <Link
          to="/wallet"
          className="flex min-h-12 items-center gap-2.5 rounded-choice bg-sunk px-4 text-ink-2"
        >
          <CreditCard aria-hidden="true" size={20} strokeWidth={1.75} />
          <span className="t-small flex-1">Payment methods</span>
          <ChevronRight aria-hidden="true" size={20} className="text-accent" />
        </Link>
        <RecentActivity />
      </div>
    </Page>
  );
}

function Balances({ myJoe: { balances } }: { myJoe: MyJoeData }): ReactNode {
  if (!balances) return <Notice>We can't load your balance right now. Your money is safe.</Notice>;
  const pass = balances.find(({ companyId }) => companyId === null);
  const cards = balances.filter(({ companyId }) => companyId !== null);
  return (
    <>
      <JoePass balance={pass?.balance ?? cents(0)} held={pass?.held ?? cents(0)} />
      {cards.map((card) => (
        <p key={card.id} className="flex justify-between gap-4 rounded-choice bg-surface px-4 py-3.5">
          <span className="t-strong">{card.companyName} card</span>
          <span className="num">{formatMoney(card.balance)}</span>
        </p>
      ))}
    </>
  );
}

function RecentActivity(): ReactNode {
  const activity = useInfiniteQuery(transactionsQuery);
  const { data: orderPages } = useInfiniteQuery(ordersQuery);
  const orders = useMemo(
    () => new Map(orderPages?.pages.flat().map((order) => [order.orderId, order])),
    [orderPages],
  );
  const all = activity.data?.pages.flat();
  return (
    <section>
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="t-heading">Activity</h2>
        {all && all.length > RECENT_COUNT && (
          <Link
            to="/wallet"
            hash="activity"
            className="t-strong inline-flex min-h-target items-center text-accent"
          >
            See all activity
          </Link>
        )}
      </div>
      {all ? (
        all.length > 0 ? (
          <Activity transactions={all.slice(0, RECENT_COUNT)} orders={orders} />
        ) : (
          <p className="mt-1 text-ink-2">No activity yet.</p>
        )
      ) : activity.isError ? (
        <Notice>{errorMessage(activity.error)}</Notice>
      ) : (
        <SkeletonRows />
      )}
    </section>
  );
}

function MyJoeSkeleton(): ReactNode {
  return (
    <Page header={<Header large title="My Joe" />}>
      <Loading label="Loading your JoePass">
        <div className="grid gap-5 px-gutter pt-2">
          <SkeletonBlock className="h-46 rounded-sheet" />
          <SkeletonBlock className="h-23" />
          <SkeletonRows />
        </div>
      </Loading>
    </Page>
  );
}
