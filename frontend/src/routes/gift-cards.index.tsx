import { useQueries, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import CreditCard from "lucide-react/icons/credit-card";
import Ticket from "lucide-react/icons/ticket";
import type { ReactNode } from "react";
import { GiftCardArt } from "@/art/gift-card/GiftCardArt";
import { DealList, dealLink } from "@/features/gift-cards/DealList";
import { type CardBalance, GiftCardRow } from "@/features/gift-cards/GiftCardRow";
import { dealsQuery } from "@/features/gift-cards/queries";
import { walletQuery } from "@/features/wallet/queries";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/gift-cards/")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(walletQuery);
    void queryClient.prefetchQuery(dealsQuery());
  },
  component: GiftCards,
  pendingComponent: GiftCardsSkeleton,
});

function GiftCards(): ReactNode {
  const { data: balances } = useSuspenseQuery(walletQuery);
  const cards = balances.filter(({ kind }) => kind === "GiftCard" || kind === "PhysicalGiftCard");
  const companyCards = balances.filter(({ kind }) => kind === "CompanyCard");
  const hasCards = cards.length + companyCards.length > 0;
  return (
    <Page
      header={<Header title="Gift cards" up={{ to: "/my-joe" }} />}
      bar={
        <BottomBar>
          <Link to="/gift-cards/buy" className={buttonVariants("solid", { big: true })}>
            Buy a gift card
          </Link>
        </BottomBar>
      }
    >
      {hasCards ? (
        <div className="grid gap-7 px-gutter pt-4">
          <CardSection title="Your gift cards" cards={cards} />
          <CardSection title="Company cards" cards={companyCards} />
        </div>
      ) : (
        <NoCards />
      )}
      <div className="grid gap-7 px-gutter pt-7">
        <div className={`flex flex-wrap gap-3 ${hasCards ? "" : "justify-center"}`}>
          <Link to="/wallet/redeem" className={buttonVariants("soft")}>
            <Ticket aria-hidden="true" size={20} /> Redeem a code
          </Link>
          <Link to="/gift-cards/link" className={buttonVariants("soft")}>
            <CreditCard aria-hidden="true" size={20} /> Link a physical card
          </Link>
        </div>
        <Deals companyIds={companyCards.flatMap(({ companyId }) => companyId ?? [])} />
      </div>
    </Page>
  );
}

function CardSection({ title, cards }: { title: string; cards: readonly CardBalance[] }): ReactNode {
  if (cards.length === 0) return null;
  return (
    <section>
      <h2 className="t-heading mb-1">{title}</h2>
      <ul aria-label={title} className="divide-y divide-line">
        {cards.map((card) => (
          <li key={card.id}>
            <GiftCardRow card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoCards(): ReactNode {
  return (
    <Empty
      title="No gift cards yet"
      art={
        <span className="w-60 overflow-hidden rounded-card shadow-float">
          <GiftCardArt design="birthday" />
        </span>
      }
    >
      <p>Send a coffee to someone, or add a card you received.</p>
    </Empty>
  );
}

/**
 * Deals for cards that all stores accept, and of the companies of the consumer's cards. Deals are an offer: the screen does
 * without them if they fail to load.
 */
function Deals({ companyIds }: { companyIds: readonly string[] }): ReactNode {
  const results = useQueries({ queries: [undefined, ...companyIds].map((id) => dealsQuery(id)) });
  const deals = results.flatMap(({ data }) => data ?? []);
  if (deals.length === 0) return null;
  return (
    <section className="grid gap-2.5">
      <h2 className="t-heading">Deals</h2>
      <DealList
        deals={deals}
        link={({ id, companyId }, content) =>
          companyId === null ? (
            <Link to="/gift-cards/buy" search={{ dealId: id }} className={dealLink}>
              {content}
            </Link>
          ) : (
            <Link
              to="/company/$companyId/buy-card"
              params={{ companyId }}
              search={{ dealId: id }}
              className={dealLink}
            >
              {content}
            </Link>
          )
        }
      />
    </section>
  );
}

function GiftCardsSkeleton(): ReactNode {
  return (
    <Page header={<Header title="Gift cards" up={{ to: "/my-joe" }} />}>
      <Loading label="Loading your gift cards">
        <div className="grid gap-6 px-gutter pt-4">
          <SkeletonRows count={3} />
          <SkeletonBlock className="h-20" />
        </div>
      </Loading>
    </Page>
  );
}
