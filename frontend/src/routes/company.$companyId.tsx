import { useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import Gift from "lucide-react/icons/gift";
import type { ReactNode } from "react";
import { CompanyCities } from "@/features/stores/CompanyCities";
import { CompanyStores } from "@/features/stores/CompanyStores";
import { companyQuery, companyStoresQuery, locationsQuery } from "@/features/stores/company-queries";
import { useGeolocation } from "@/features/stores/use-geolocation";
import { usePartsReady } from "@/lib/use-parts-ready";
import { BackButton } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { useShareMetadata } from "@/shell/share-metadata";
import { buttonVariants } from "@/ui/button-variants";
import { Loading, SkeletonLine, SkeletonRows } from "@/ui/Skeleton";

export const Route = createFileRoute("/company/$companyId")({
  staticData: { tab: "explore" },
  component: Company,
  pendingComponent: CompanySkeleton,
});

function Company(): ReactNode {
  const { companyId } = Route.useParams();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  useShareMetadata({
    title: `${company.name} · Order Ahead`,
    description: company.description || `Order ahead at ${company.name}.`,
    image: "company",
  });
  return (
    <Page header={<Back />}>
      <div className="px-gutter">
        <h1 tabIndex={-1} className="t-display">
          {company.name}
        </h1>
        {company.description && <p className="mt-2 text-balance">{company.description}</p>}
        <p className="num mt-1 text-ink-2">
          {company.storeCount === 1 ? "1 store" : `${company.storeCount} stores`}
        </p>
        <Link
          to="/company/$companyId/card"
          params={{ companyId }}
          className={`mt-4 ${buttonVariants("soft")}`}
        >
          <Gift aria-hidden="true" size={20} /> {company.name} card
        </Link>
      </div>
      <CitiesAndStores key={companyId} companyId={companyId} companyName={company.name} />
    </Page>
  );
}

/** The cities, and the stores below them. They appear together, because cities that appear later would push down the stores. */
function CitiesAndStores({ companyId, companyName }: { companyId: string; companyName: string }): ReactNode {
  const { position } = useGeolocation();
  const isReady = usePartsReady([
    useQuery(locationsQuery(companyName)),
    useInfiniteQuery(companyStoresQuery(companyId, position)),
  ]);
  if (!isReady) {
    return (
      <Loading label="Loading stores">
        <div className="px-gutter pt-8">
          <SkeletonRows count={5} />
        </div>
      </Loading>
    );
  }
  return (
    <>
      <CompanyCities companyName={companyName} />
      <CompanyStores companyId={companyId} />
    </>
  );
}

function Back(): ReactNode {
  return (
    <header className="px-2.5 pt-2">
      <BackButton up={{ to: "/explore" }} />
    </header>
  );
}

function CompanySkeleton(): ReactNode {
  return (
    <Page header={<Back />}>
      <Loading label="Loading the company">
        <div className="px-gutter">
          <SkeletonLine className="h-9 w-3/4" />
          <SkeletonLine className="mt-3 w-11/12" />
          <SkeletonLine className="mt-2 w-1/4" />
          <div className="pt-8">
            <SkeletonRows count={5} />
          </div>
        </div>
      </Loading>
    </Page>
  );
}
