import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { MethodIcon } from "@/features/payment-methods/MethodIcon";
import { type LoyaltyCard, loyaltyCardsQuery } from "@/features/wallet/queries";
import { cents, formatMoney } from "@/lib/money";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/wallet/loyalty-cards")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(loyaltyCardsQuery);
  },
  component: LoyaltyCards,
  pendingComponent: LoyaltyCardsSkeleton,
});

const header = <Header title="Your cards" up={{ to: "/wallet" }} />;

/** Everything with a balance that can pay: JoePass, gift cards and company cards. */
function LoyaltyCards(): ReactNode {
  const { data: cards } = useSuspenseQuery(loyaltyCardsQuery);
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Link to="/account/pin" className={buttonVariants("solid", { big: true })}>
            Pay at the counter
          </Link>
        </BottomBar>
      }
    >
      {cards.length === 0 ? (
        <Empty
          title="No cards yet"
          action={
            <Link to="/gift-cards" className={buttonVariants("soft")}>
              See gift cards
            </Link>
          }
        >
          <p>Gift cards and company cards show up here.</p>
        </Empty>
      ) : (
        <ul aria-label="Your cards" className="divide-y divide-line px-gutter pt-2">
          {cards.map((card) => (
            <li key={card.id}>
              <CardRow card={card} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function CardRow({ card }: { card: LoyaltyCard }): ReactNode {
  const content = (
    <>
      <MethodIcon method={card} />
      <span className="min-w-0 flex-1">
        <span className="t-strong block">{card.displayName}</span>
        <span className="t-small block text-ink-2">
          {card.companyName === null ? "Works at all stores" : `Works at ${card.companyName} stores`}
        </span>
      </span>
      <span className="num t-strong">{formatMoney(cents(card.amount ?? 0))}</span>
    </>
  );
  const className = "flex min-h-18 items-center gap-3 py-2.5";
  return card.companyId === null ? (
    <Link to="/wallet/activity" search={{ balanceId: card.id }} className={className}>
      {content}
    </Link>
  ) : (
    <Link to="/company/$companyId/card" params={{ companyId: card.companyId }} className={className}>
      {content}
    </Link>
  );
}

function LoyaltyCardsSkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading your cards">
        <div className="px-gutter pt-2">
          <SkeletonRows count={4} />
        </div>
      </Loading>
    </Page>
  );
}
