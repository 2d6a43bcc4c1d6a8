import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { CompanyCardFace } from "@/features/company-cards/CompanyCardFace";
import { useSetCompanyGiftCardActive } from "@/features/company-cards/mutations";
import { type CompanyCard, companyCardQuery } from "@/features/company-cards/queries";
import { DealList, dealLink } from "@/features/gift-cards/DealList";
import { dealsQuery } from "@/features/gift-cards/queries";
import { companyQuery } from "@/features/stores/company-queries";
import { walletQuery } from "@/features/wallet/queries";
import { Header } from "@/shell/Header";
import { BottomBar, Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { useShareMetadata } from "@/shell/share-metadata";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { Switch } from "@/ui/Switch";
import { CompanyCardHistory, CompanyCardOrders, CompanyCardUploads } from "./-company-card-lists";

export const Route = createFileRoute("/company/$companyId_/card")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient }, params: { companyId } }) => {
    void queryClient.prefetchQuery(companyQuery(companyId));
    void queryClient.prefetchQuery(walletQuery);
    void queryClient.prefetchQuery(dealsQuery(companyId));
  },
  component: CompanyCardScreen,
  pendingComponent: CompanyCardSkeleton,
});

const header = <Header title="Company card" up={{ to: "/gift-cards" }} />;

function CompanyCardScreen(): ReactNode {
  const { companyId } = Route.useParams();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  const { data: balances } = useSuspenseQuery(walletQuery);
  useShareMetadata({
    title: `${company.name} card · Order Ahead`,
    description: `Use it at every ${company.name} store.`,
    image: "company",
  });
  const card = balances.find((balance) => balance.companyId === companyId);
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Link
            to="/company/$companyId/buy-card"
            params={{ companyId }}
            className={buttonVariants("solid", { big: true })}
          >
            {card ? "Add value" : `Buy a ${company.name} card`}
          </Link>
        </BottomBar>
      }
    >
      {card ? (
        <OwnCard inWallet={card} companyId={companyId} />
      ) : (
        <>
          <Empty title={`No ${company.name} card yet`}>
            <p>Use it at every {company.name} store. With a deal, you get more than you pay.</p>
          </Empty>
          <div className="px-gutter pt-7">
            <Deals companyId={companyId} />
          </div>
        </>
      )}
    </Page>
  );
}

function OwnCard({ inWallet, companyId }: { inWallet: CompanyCard; companyId: string }): ReactNode {
  const { data: card = inWallet } = useQuery({
    ...companyCardQuery(inWallet.giftCardId ?? "", inWallet),
    enabled: inWallet.giftCardId !== null,
  });
  return (
    <div className="grid gap-6 px-gutter pt-2">
      <CompanyCardFace card={card} />
      <ActiveSwitch card={card} companyId={companyId} />
      <Deals companyId={companyId} />
      <Lists companyId={companyId} />
    </div>
  );
}

function ActiveSwitch({ card, companyId }: { card: CompanyCard; companyId: string }): ReactNode {
  const setActive = useSetCompanyGiftCardActive(companyId);
  const isActive = setActive.isPending ? setActive.variables : card.isActive;
  return (
    <Switch
      label="Use at checkout"
      detail={isActive ? "We suggest this card at their stores." : "It's off. Your balance stays."}
      on={isActive}
      busy={setActive.isPending}
      onChange={(next) => setActive.mutate(next)}
    />
  );
}

/** Deals are an offer: the screen does without them if they fail to load. */
function Deals({ companyId }: { companyId: string }): ReactNode {
  const { data } = useQuery(dealsQuery(companyId));
  const deals = data?.filter((deal) => deal.companyId === companyId);
  if (!deals || deals.length === 0) return null;
  return (
    <section className="grid gap-2.5">
      <h2 className="t-heading">Deals</h2>
      <DealList
        deals={deals}
        link={({ id }, content) => (
          <Link
            to="/company/$companyId/buy-card"
            params={{ companyId }}
            search={{ dealId: id }}
            className={dealLink}
          >
            {content}
          </Link>
        )}
      />
    </section>
  );
}

type List = "history" | "orders" | "uploads";

function Lists({ companyId }: { companyId: string }): ReactNode {
  const [list, setList] = useState<List>("history");
  return (
    <section className="grid gap-2">
      <h2 className="t-heading">Activity</h2>
      <SegmentedControl<List>
        label="Show"
        value={list}
        onChange={setList}
        options={[
          { value: "history", label: "All" },
          { value: "orders", label: "Orders" },
          { value: "uploads", label: "Added" },
        ]}
      />
      {list === "history" && <CompanyCardHistory companyId={companyId} />}
      {list === "orders" && <CompanyCardOrders companyId={companyId} />}
      {list === "uploads" && <CompanyCardUploads companyId={companyId} />}
    </section>
  );
}

function CompanyCardSkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading the card">
        <div className="grid gap-6 px-gutter pt-2">
          <SkeletonBlock className="h-46 rounded-sheet" />
          <SkeletonBlock className="h-16" />
          <SkeletonRows count={4} />
        </div>
      </Loading>
    </Page>
  );
}
