import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import { IconButton } from "@/ui/IconButton";
import { formatDays } from "./format";
import { offersQuery } from "./queries";

interface TodaysOfferProps {
  /** A drawing at the right. */
  picture: ReactNode;
}

/**
 * The first offer of the day, until the consumer opens or dismisses it on this device (local-storage item "last notified
 * offer"). Hidden without an offer, or if the offers fail to load.
 */
export function TodaysOffer({ picture }: TodaysOfferProps): ReactNode {
  const { data } = useQuery(offersQuery());
  const lastNotified = useItem(device.lastNotifiedOffer);
  const offer = data?.offers.find(({ isActive, isUsed }) => isActive && !isUsed);
  if (!data || !offer || lastNotified === data.day) return null;
  const markNotified = () => device.lastNotifiedOffer.set(data.day);
  return (
    <section aria-label="Today's offer" className="relative isolate overflow-hidden rounded-card bg-sunk">
      <div className="relative z-1 grid max-w-[64%] justify-items-start gap-2 py-5 pl-5 large-text:max-w-full">
        <span className="t-tag rounded-[7px] bg-surface px-2 py-1 text-ink-2">{formatDays(offer)}</span>
        <h2 className="t-title">{offer.title}</h2>
        <Link
          to="/rewards"
          search={{ offerId: offer.offerId }}
          onClick={markNotified}
          className="t-strong inline-flex min-h-target items-center gap-0.5 text-accent"
        >
          See offer
          <ChevronRight aria-hidden="true" size={20} strokeWidth={1.75} />
        </Link>
      </div>
      <div
        aria-hidden="true"
        className="absolute -right-5 -bottom-8 h-48 w-34 large-text:hidden min-[360px]:right-3"
      >
        {picture}
      </div>
      <div className="absolute top-1 right-1 z-2">
        <IconButton icon={X} label="Dismiss today's offer" onClick={markNotified} />
      </div>
    </section>
  );
}
