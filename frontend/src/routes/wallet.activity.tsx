import { useInfiniteQuery, useSuspenseInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { object, string } from "valibot";
import { formatCardName } from "@/features/gift-cards/format";
import { ordersQuery } from "@/features/orders/queries";
import { Activity } from "@/features/wallet/Activity";
import { balanceTransactionsQuery, type WalletBalance, walletQuery } from "@/features/wallet/queries";
import { searchParam } from "@/lib/search";
import { usePartsReady } from "@/lib/use-parts-ready";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Chips } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import { useOrderDetails } from "./-order-details";

export const Route = createFileRoute("/wallet/activity")({
  validateSearch: object({ balanceId: searchParam(string()) }),
  beforeLoad: requireSession,
  loaderDeps: ({ search: { balanceId } }) => ({ balanceId }),
  loader: ({ context: { queryClient }, deps: { balanceId } }) => {
    void queryClient.prefetchQuery(walletQuery);
    void queryClient.prefetchInfiniteQuery(balanceTransactionsQuery(balanceId));
    void queryClient.prefetchInfiniteQuery(ordersQuery);
  },
  component: ActivityScreen,
  pendingComponent: ActivitySkeleton,
});

const header = <Header title="Activity" up={{ to: "/wallet" }} />;

function ActivityScreen(): ReactNode {
  const { balanceId } = Route.useSearch();
  const { data: balances } = useSuspenseQuery(walletQuery);
  const activity = useSuspenseInfiniteQuery(balanceTransactionsQuery(balanceId));
  const orders = useOrderDetails();
  // Orders add lines to the rows of their transactions.
  const isReady = usePartsReady([useInfiniteQuery(ordersQuery)]);
  if (!isReady) return <ActivitySkeleton />;
  const transactions = activity.data.pages.flat();
  const balance = balances.find(({ id }) => id === balanceId);
  return (
    <Page header={header} bar={balance && <AddFundsBar balance={balance} />}>
      <div className="px-gutter pt-3">
        <BalanceFilter balances={balances} balanceId={balanceId} />
        {transactions.length === 0 ? (
          <Empty
            title="No activity yet"
            action={
              <Link to="/explore" className={buttonVariants("soft")}>
                Find a store
              </Link>
            }
          >
            <p>Every amount you add or spend shows up here, with what it was for.</p>
          </Empty>
        ) : (
          <Activity
            transactions={transactions}
            orders={orders}
            showsBalance={balanceId === undefined}
            linked
          />
        )}
        {activity.hasNextPage && (
          <div className="pt-3 text-center">
            <Button
              variant="soft"
              busy={activity.isFetchingNextPage}
              onClick={() => void activity.fetchNextPage()}
            >
              Show older activity
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

/** Adds to the selected balance. A company card is bought again on the screen of its company. */
function AddFundsBar({ balance: { id, kind, companyId } }: { balance: WalletBalance }): ReactNode {
  const className = buttonVariants("solid", { big: true });
  return (
    <BottomBar>
      {companyId === null ? (
        <Link
          to="/wallet/add-funds"
          search={kind === "JoePass" ? {} : { balanceId: id, next: `/wallet/activity?balanceId=${id}` }}
          className={className}
        >
          Add funds
        </Link>
      ) : (
        <Link to="/company/$companyId/buy-card" params={{ companyId }} className={className}>
          Add value
        </Link>
      )}
    </BottomBar>
  );
}

const ALL = "all";

interface BalanceFilterProps {
  balances: readonly WalletBalance[];
  balanceId: string | undefined;
}

function BalanceFilter({ balances, balanceId }: BalanceFilterProps): ReactNode {
  const navigate = Route.useNavigate();
  if (balances.length < 2) return null;
  const change = (chosen: string) =>
    void navigate({ search: chosen === ALL ? {} : { balanceId: chosen }, replace: true, resetScroll: false });
  return (
    <div className="pb-2">
      <Chips
        label="Balance"
        value={balanceId ?? ALL}
        onChange={change}
        options={[
          { value: ALL, label: "All" },
          ...balances.map((balance) => ({ value: balance.id, label: formatBalanceName(balance) })),
        ]}
      />
    </div>
  );
}

/** "JoePass", "Birthday gift card 4F7K". */
function formatBalanceName(balance: WalletBalance): string {
  if (balance.kind === "JoePass") return "JoePass";
  return [formatCardName(balance), balance.codeSuffix].filter(Boolean).join(" ");
}

function ActivitySkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading your activity">
        <div className="px-gutter pt-3">
          <SkeletonRows count={7} />
        </div>
      </Loading>
    </Page>
  );
}
