import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import CreditCard from "lucide-react/icons/credit-card";
import Gift from "lucide-react/icons/gift";
import type { LucideIcon } from "lucide-react/types";
import type { ReactNode } from "react";
import { PointsCard } from "@/features/points/PointsCard";
import { Activity } from "@/features/wallet/Activity";
import { AddFundsLink } from "@/features/wallet/AddFundsLink";
import { AutoReloadLink } from "@/features/wallet/AutoReloadLink";
import { JoePass } from "@/features/wallet/JoePass";
import { type MyJoe as MyJoeData, myJoeQuery, transactionsQuery } from "@/features/wallet/queries";
import { cents, formatMoney } from "@/lib/money";
import { Header } from "@/shell/Header";
import { InboxButton } from "@/shell/InboxButton";
import { LoadError } from "@/shell/LoadError";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { useOrderDetails } from "./-order-details";

export const Route = createFileRoute("/my-joe")({
  staticData: { tab: "my-joe" },
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
          <PointsCard points={myJoe.points} action={<PointsLink />} />
        ) : (
          <Notice>We can't load your points right now. They're safe.</Notice>
        )}
        <div className="grid gap-2">
          <AutoReloadLink />
          <RowLink to="/gift-cards" icon={Gift}>
            Gift cards
          </RowLink>
          <RowLink to="/wallet" icon={CreditCard}>
            Payment methods
          </RowLink>
        </div>
        <RecentActivity />
      </div>
    </Page>
  );
}

function Balances({ myJoe: { balances } }: { myJoe: MyJoeData }): ReactNode {
  if (!balances) return <Notice>We can't load your balance right now. Your money is safe.</Notice>;
  const pass = balances.find(({ kind }) => kind === "JoePass");
  const cards = balances.filter(({ kind }) => kind === "CompanyCard");
  return (
    <>
      <div className="overflow-hidden rounded-sheet bg-surface">
        <JoePass
          balance={pass?.balance ?? cents(0)}
          held={pass?.held ?? cents(0)}
          action={<AddFundsLink />}
        />
        <PinRow />
      </div>
      {cards.map((card) => (
        <Link
          key={card.id}
          to="/company/$companyId/card"
          params={{ companyId: card.companyId ?? "" }}
          className="flex justify-between gap-4 rounded-choice bg-surface px-4 py-3.5"
        >
          <span className="t-strong">{card.companyName} card</span>
          <span className="num">{formatMoney(card.balance)}</span>
        </Link>
      ))}
    </>
  );
}

function PointsLink(): ReactNode {
  return (
    <Link
      to="/rewards"
      aria-label="Points and rewards"
      className="-mr-2.5 grid size-target shrink-0 place-items-center rounded-full text-accent"
    >
      <ChevronRight aria-hidden="true" size={24} />
    </Link>
  );
}

function PinRow(): ReactNode {
  return (
    <div className="flex items-center gap-3 py-3 pr-3.5 pl-5.5">
      <span className="min-w-0 flex-1">
        <b className="t-strong block">PIN for the counter</b>
        <span className="t-small block text-ink-2">Shows for two minutes</span>
      </span>
      <Link to="/account/pin" className={buttonVariants("soft")}>
        Show<span className="sr-only"> PIN for the counter</span>
      </Link>
    </div>
  );
}

interface RowLinkProps {
  to: "/gift-cards" | "/wallet";
  icon: LucideIcon;
  children: string;
}

function RowLink({ to, icon: Icon, children }: RowLinkProps): ReactNode {
  return (
    <Link to={to} className="flex min-h-12 items-center gap-2.5 rounded-choice bg-sunk px-4 text-ink-2">
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} />
      <span className="t-small flex-1">{children}</span>
      <ChevronRight aria-hidden="true" size={20} className="text-accent" />
    </Link>
  );
}

function RecentActivity(): ReactNode {
  const activity = useInfiniteQuery(transactionsQuery);
  const orders = useOrderDetails();
  const all = activity.data?.pages.flat();
  return (
    <section>
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="t-heading">Activity</h2>
        {all && all.length > RECENT_COUNT && (
          <Link to="/wallet/activity" className="t-strong inline-flex min-h-target items-center text-accent">
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
        <LoadError error={activity.error} onRetry={activity.refetch} />
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
