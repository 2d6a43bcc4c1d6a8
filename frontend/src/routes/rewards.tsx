import { useQuery, useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { object, string } from "valibot";
import { OfferDetails } from "@/features/offers/OfferDetails";
import { offersQuery } from "@/features/offers/queries";
import { PointEntryList } from "@/features/points/PointEntryList";
import { PointsCard } from "@/features/points/PointsCard";
import { pointEntriesQuery } from "@/features/points/queries";
import { RewardTiers } from "@/features/points/RewardTiers";
import { searchParam } from "@/lib/search";
import { usePartsReady } from "@/lib/use-parts-ready";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { hideRewardIndicator } from "@/shell/reward-indicator";
import { requireSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { Loading, SkeletonBlock, SkeletonRows } from "@/ui/Skeleton";
import { RewardsOffers } from "./-rewards-offers";

export const Route = createFileRoute("/rewards")({
  validateSearch: object({ offerId: searchParam(string()), overrideDay: searchParam(string()) }),
  staticData: { tab: "my-joe" },
  beforeLoad: requireSession,
  loaderDeps: ({ search: { overrideDay } }) => ({ overrideDay }),
  loader: ({ context: { queryClient }, deps: { overrideDay } }) => {
    void queryClient.prefetchInfiniteQuery(pointEntriesQuery);
    void queryClient.prefetchQuery(offersQuery(overrideDay));
  },
  component: Rewards,
  pendingComponent: RewardsSkeleton,
});

const header = <Header title="Rewards" up={{ to: "/my-joe" }} />;

function Rewards(): ReactNode {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useSuspenseInfiniteQuery(pointEntriesQuery);
  const [first] = data.pages;
  const entries = data.pages.flatMap((page) => page.entries);
  const { overrideDay } = Route.useSearch();
  const isReady = usePartsReady([useQuery(offersQuery(overrideDay))]);
  useEffect(hideRewardIndicator, []);
  return (
    <Page header={header}>
      <div className="grid gap-6 px-gutter pt-2">
        {first && <PointsCard points={first.points} />}
        {isReady ? (
          <>
            <RewardsOffers overrideDay={overrideDay} />
            {first && first.points.tiers.length > 0 && (
              <section>
                <h2 className="t-heading">Rewards</h2>
                <RewardTiers points={first.points} />
              </section>
            )}
            <section>
              <h2 className="t-heading">Activity</h2>
              {entries.length > 0 ? (
                <PointEntryList entries={entries} />
              ) : (
                <p className="mt-1 text-ink-2">No points yet. You earn them when you pick up an order.</p>
              )}
              {hasNextPage && (
                <div className="pt-3 text-center">
                  <Button variant="soft" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                    Show older activity
                  </Button>
                </div>
              )}
            </section>
          </>
        ) : (
          <Loading label="Loading today's offers">
            <SkeletonRows count={5} />
          </Loading>
        )}
      </div>
      <OpenOffer />
    </Page>
  );
}

/** The offer in the address, in a sheet. */
function OpenOffer(): ReactNode {
  const { offerId, overrideDay } = Route.useSearch();
  const navigate = Route.useNavigate();
  const close = () => void navigate({ search: { overrideDay }, replace: true, resetScroll: false });
  return (
    offerId !== undefined && <OfferDetails offerId={offerId} overrideDay={overrideDay} onClose={close} />
  );
}

function RewardsSkeleton(): ReactNode {
  return (
    <Page header={header}>
      <Loading label="Loading your points">
        <div className="grid gap-6 px-gutter pt-2">
          <SkeletonBlock className="h-23" />
          <SkeletonRows count={5} />
        </div>
      </Loading>
    </Page>
  );
}
