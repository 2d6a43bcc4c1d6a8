import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BonusDays } from "@/features/offers/BonusDays";
import { ChallengeRow } from "@/features/offers/ChallengeRow";
import { OfferRow } from "@/features/offers/OfferRow";
import { type OfferList, offersQuery } from "@/features/offers/queries";
import { LoadError } from "@/shell/LoadError";
import { RowGroup } from "@/ui/Row";
import { Loading, SkeletonBlock } from "@/ui/Skeleton";

/** Bonus days, today's offers and challenges. If they fail to load, points stay on the screen. */
export function RewardsOffers({ overrideDay }: { overrideDay: string | undefined }): ReactNode {
  const { data, error, isFetching, refetch } = useQuery(offersQuery(overrideDay));
  if (data) return <Offers list={data} />;
  if (error) {
    return (
      <section>
        <h2 className="t-heading">Offers</h2>
        <LoadError error={error} busy={isFetching} onRetry={refetch} />
      </section>
    );
  }
  return (
    <Loading label="Loading today's offers">
      <div className="grid gap-6">
        <SkeletonBlock className="h-34" />
        <SkeletonBlock className="h-24" />
      </div>
    </Loading>
  );
}

function Offers({ list: { day, offers, challenges } }: { list: OfferList }): ReactNode {
  return (
    <>
      <BonusDays day={day} />
      {offers.length > 0 ? (
        <RowGroup title="Today's offers">
          {offers.map((offer) => (
            <OfferRow key={offer.offerId} offer={offer} />
          ))}
        </RowGroup>
      ) : (
        <section>
          <h2 className="t-heading">Today's offers</h2>
          <p className="mt-1 text-ink-2">Nothing today. Check back on the next bonus day.</p>
        </section>
      )}
      {challenges.length > 0 && (
        <section className="grid gap-2.5">
          <h2 className="t-heading">Challenges</h2>
          <ul aria-label="Challenges" className="grid gap-3">
            {challenges.map((challenge) => (
              <ChallengeRow key={challenge.challengeId} challenge={challenge} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
