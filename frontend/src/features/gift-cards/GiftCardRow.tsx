import { Link } from "@tanstack/react-router";
import Coffee from "lucide-react/icons/coffee";
import type { ReactNode } from "react";
import type { GetData } from "@/api/contract";
import { GiftCardArt } from "@/art/gift-card/GiftCardArt";
import { formatMoney } from "@/lib/money";
import { Tag } from "@/ui/Tag";
import { formatCardDetail, formatCardName } from "./format";

export type CardBalance = GetData<"/user/wallet">["balances"][number];

/** A card with its balance. Leads to its activity, or to the screen of its company. */
export function GiftCardRow({ card }: { card: CardBalance }): ReactNode {
  const content = (
    <>
      <Thumbnail card={card} />
      <span className="min-w-0 flex-1">
        <span className="t-strong flex flex-wrap items-center gap-2">
          {formatCardName(card)}
          {!card.isActive && <Tag>Off</Tag>}
        </span>
        <span className="t-small num block text-ink-2">{formatCardDetail(card)}</span>
      </span>
      <span className="num t-strong">{formatMoney(card.balance)}</span>
    </>
  );
  const className = "flex min-h-20 items-center gap-3.5 py-2.5";
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

function Thumbnail({ card }: { card: CardBalance }): ReactNode {
  return (
    <span className="large-text:hidden w-24 shrink-0 overflow-hidden rounded-small">
      {card.companyId === null ? (
        <GiftCardArt design={card.design} small />
      ) : (
        <span
          aria-hidden="true"
          className="grid aspect-video place-items-center bg-inverse text-inverse-crema"
        >
          <Coffee size={24} strokeWidth={1.75} />
        </span>
      )}
    </span>
  );
}
