import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";
import { GiftCardRow } from "@/features/gift-cards/GiftCardRow";
import { ordersQuery } from "@/features/orders/queries";
import { MethodList } from "@/features/payment-methods/MethodList";
import { paymentMethodsQuery } from "@/features/payment-methods/queries";
import { Activity } from "@/features/wallet/Activity";
import { AddFundsLink } from "@/features/wallet/AddFundsLink";
import { AutoReloadRemovalNote } from "@/features/wallet/AutoReloadRemovalNote";
import { JoePass } from "@/features/wallet/JoePass";
import { transactionsQuery, walletQuery } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { usePartsReady } from "@/lib/use-parts-ready";
import { Header } from "@/shell/Header";
import { LoadError } from "@/shell/LoadError";
import { Page } from "@/shell/Page";
import { requireSession, useSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Loading, SkeletonBlock, SkeletonLine, SkeletonRows } from "@/ui/Skeleton";
import { useOrderDetails } from "./-order-details";

/** Without stored value, which has its own section. */
const savedMethodsQuery = paymentMethodsQuery({ excludeJoebucks: true });

export const Route = createFileRoute("/wallet/")({
  staticData: { tab: "my-joe" },
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(walletQuery);
    void queryClient.prefetchQuery(savedMethodsQuery);
    void queryClient.prefetchInfiniteQuery(transactionsQuery);
    void queryClient.prefetchInfiniteQuery(ordersQuery);
  },
  component: Wallet,
});

/** Each section has its own queries: one that fails does not hide the others. They appear together. */
function Wallet(): ReactNode {
  const isReady = usePartsReady([
    useQuery(walletQuery),
    useQuery(savedMethodsQuery),
    useInfiniteQuery(transactionsQuery),
    useInfiniteQuery(ordersQuery),
  ]);
  return (
    <Page header={<Header title="Wallet" up={{ to: "/my-joe" }} />}>
      {isReady ? (
        <div className="grid gap-6 px-gutter pt-4">
          <Balances />
          <PaymentMethods />
          <AllActivity />
        </div>
      ) : (
        <WalletSkeleton />
      )}
    </Page>
  );
}

function WalletSkeleton(): ReactNode {
  return (
    <Loading label="Loading your wallet">
      <div className="grid gap-6 px-gutter pt-4">
        <PassSkeleton />
        <div>
          <SkeletonLine className="h-6 w-1/2" />
          <SkeletonRows count={2} />
        </div>
        <div>
          <SkeletonLine className="h-6 w-1/3" />
          <SkeletonRows count={4} />
        </div>
      </div>
    </Loading>
  );
}

function PassSkeleton(): ReactNode {
  return <SkeletonBlock className="h-46 rounded-sheet" />;
}

function Balances(): ReactNode {
  const { data: balances, error, refetch } = useQuery(walletQuery);
  if (!balances) {
    return error ? (
      <LoadError
        error={error}
        message="We can't load your balance right now. Your money is safe."
        onRetry={refetch}
      />
    ) : (
      <PassSkeleton />
    );
  }
  const pass = balances.find(({ kind }) => kind === "JoePass");
  const cards = balances.filter(({ kind }) => kind !== "JoePass");
  return (
    <>
      <JoePass
        balance={pass?.balance ?? cents(0)}
        held={pass?.held ?? cents(0)}
        pending={pass?.pending}
        action={<AddFundsLink />}
      />
      {cards.length > 0 && (
        <section>
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="t-heading">Gift cards</h2>
            <Link to="/wallet/loyalty-cards" className={buttonVariants("link")}>
              See all<span className="sr-only"> cards</span>
            </Link>
          </div>
          <ul aria-label="Cards" className="divide-y divide-line">
            {cards.map((card) => (
              <li key={card.id}>
                <GiftCardRow card={card} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function PaymentMethods(): ReactNode {
  const session = useSession();
  const { data: methods, error, refetch } = useQuery(savedMethodsQuery);
  return (
    <section>
      <h2 className="t-heading">Payment methods</h2>
      {methods ? (
        <>
          {methods.length === 0 && (
            <p className="mt-1 mb-3 text-ink-2">Add a card or bank account to pay in a tap.</p>
          )}
          <MethodList
            methods={methods}
            removalNote={({ paymentMethodId, type }) => (
              <AutoReloadRemovalNote paymentMethodId={paymentMethodId} isBank={type === "bank"} />
            )}
          />
          <Link
            to="/account/add-payment"
            search={{ userId: session?.id, next: "/wallet" }}
            className={buttonVariants("soft")}
          >
            <Plus aria-hidden="true" size={20} /> Add a payment method
          </Link>
        </>
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows count={2} />
      )}
    </section>
  );
}

function AllActivity(): ReactNode {
  const activity = useInfiniteQuery(transactionsQuery);
  const orders = useOrderDetails();
  const all = activity.data?.pages.flat();
  return (
    <section id="activity">
      <h2 className="t-heading">Activity</h2>
      {all ? (
        <>
          {all.length === 0 && <p className="mt-1 text-ink-2">No activity yet.</p>}
          <Activity transactions={all} orders={orders} showsBalance linked />
        </>
      ) : activity.isError ? (
        <LoadError error={activity.error} onRetry={activity.refetch} />
      ) : (
        <SkeletonRows count={4} />
      )}
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
