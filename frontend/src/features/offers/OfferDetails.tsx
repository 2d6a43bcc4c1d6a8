import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { isInNativeShell } from "@/native/shell";
import { applyPromo } from "@/state/apply-promo";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { Loading, SkeletonLine } from "@/ui/Skeleton";
import { Tag } from "@/ui/Tag";
import { toast } from "@/ui/toast";
import { formatDays, formatEnd, formatObstacle } from "./format";
import { type Offer, offerQuery } from "./queries";

interface OfferDetailsProps {
  offerId: string;
  overrideDay: string | undefined;
  onClose: () => void;
}

/** A sheet with an offer, its conditions, and a button that uses it. */
export function OfferDetails({ offerId, overrideDay, onClose }: OfferDetailsProps): ReactNode {
  const { data: offer, error, isFetching, refetch } = useQuery(offerQuery(offerId, overrideDay));
  if (offer) {
    return (
      <Sheet open title={offer.title} onClose={onClose} action={<UseOffer offer={offer} />}>
        <Conditions offer={offer} />
      </Sheet>
    );
  }
  return (
    <Sheet
      open
      title="Offer"
      onClose={onClose}
      action={
        error && (
          <Button big variant="soft" busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        )
      }
    >
      {error ? (
        <p role="alert">{errorMessage(error)}</p>
      ) : (
        <Loading label="Loading the offer">
          <div className="grid gap-3 py-3">
            <SkeletonLine className="w-3/4" />
            <SkeletonLine className="w-1/2" />
          </div>
        </Loading>
      )}
    </Sheet>
  );
}

function Conditions({ offer }: { offer: Offer }): ReactNode {
  return (
    <div className="grid gap-3 pt-1">
      <p>{offer.body}</p>
      <p className="flex flex-wrap gap-2">
        <Tag>{formatDays(offer)}</Tag>
        {offer.isAppOnly && <Tag>App only</Tag>}
        {offer.endsAt && <Tag>{formatEnd(offer.endsAt, new Date())}</Tag>}
      </p>
      {offer.promoCode && (
        <p className="t-small text-ink-2">
          Code <b className="t-small-strong text-ink">{offer.promoCode}</b>
        </p>
      )}
      {offer.terms && <p className="t-small text-ink-2">{offer.terms}</p>}
    </div>
  );
}

/** Puts the code of the offer into the cart. Offers without a code apply automatically. */
function UseOffer({ offer }: { offer: Offer }): ReactNode {
  const navigate = useNavigate();
  const obstacle = formatObstacle(offer, isInNativeShell());
  if (obstacle) return <p className="text-center text-ink-2">{obstacle}</p>;
  const { promoCode } = offer;
  if (promoCode === null) {
    return (
      <Button big onClick={() => void navigate({ to: "/explore" })}>
        Find a store
      </Button>
    );
  }
  const apply = () => {
    const hasItems = applyPromo(promoCode);
    toast(`${promoCode} is in your cart`, "success");
    void navigate({ to: hasItems ? "/cart" : "/explore" });
  };
  return (
    <Button big onClick={apply}>
      Use {promoCode}
    </Button>
  );
}
