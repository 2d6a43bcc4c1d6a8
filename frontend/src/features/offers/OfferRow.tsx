import { Link } from "@tanstack/react-router";
import BadgePercent from "lucide-react/icons/badge-percent";
import type { ReactNode } from "react";
import { RowContent, rowClass } from "@/ui/Row";
import { Tag } from "@/ui/Tag";
import { formatDays } from "./format";
import type { Offer } from "./queries";

/** An offer in a list. Opens its details. */
export function OfferRow({ offer }: { offer: Offer }): ReactNode {
  const tag = offer.isUsed ? "Used" : offer.isAppOnly ? "App only" : undefined;
  return (
    <Link
      to="/rewards"
      search={(now) => ({ ...now, offerId: offer.offerId })}
      resetScroll={false}
      className={rowClass}
    >
      <RowContent
        icon={BadgePercent}
        label={offer.title}
        // Below the title, which has little space on a narrow phone.
        detail={
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {formatDays(offer)}
            {tag && (
              <>
                {" "}
                <Tag>{tag}</Tag>
              </>
            )}
          </span>
        }
      />
    </Link>
  );
}
