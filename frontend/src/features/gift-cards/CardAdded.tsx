import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { formatMoney } from "@/lib/money";
import { BottomBar, Page } from "@/shell/Page";
import { buttonVariants } from "@/ui/button-variants";
import { formatCardName } from "./format";
import { GiftCardFace } from "./GiftCardFace";
import type { CardBalance } from "./GiftCardRow";

/** The card that was just added to the wallet. */
export function CardAdded({ card, header }: { card: CardBalance; header: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Link to="/gift-cards" className={buttonVariants("solid", { big: true })}>
            See your gift cards
          </Link>
        </BottomBar>
      }
    >
      <div className="grid gap-5 px-gutter pt-4">
        <GiftCardFace
          design={card.design}
          title={formatCardName(card)}
          detail={card.codeSuffix && `Ending ${card.codeSuffix}`}
          amount={formatMoney(card.balance)}
        />
        <div role="status">
          <h2 ref={heading} tabIndex={-1} className="t-title outline-none">
            Added to your wallet
          </h2>
          <p className="mt-2 text-ink-2">{formatMoney(card.balance)} is ready to spend at checkout.</p>
        </div>
      </div>
    </Page>
  );
}
