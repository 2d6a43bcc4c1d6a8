import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { formatMoney } from "@/lib/money";
import type { Purchase } from "@/provider/purchase";
import { BottomBar, Page } from "@/shell/Page";
import type { GiftCardPurchase } from "@/state/purchases";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";
import { formatDesignName } from "./format";
import { GiftCardFace } from "./GiftCardFace";
import { shareGift } from "./share-gift";

interface PurchasedCardProps {
  purchase: Purchase;
  /** What the consumer chose. */
  gift: GiftCardPurchase;
  header: ReactNode;
}

/** The result of a purchase: the card, where it is, and what happens next. */
export function PurchasedCard({ purchase, gift, header }: PurchasedCardProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, []);
  const isGift = gift.recipient.kind !== "self";
  const amount = formatMoney(purchase.value);
  return (
    <Page
      header={header}
      bar={
        <BottomBar>
          <Link to="/gift-cards" className={buttonVariants("solid", { big: true })}>
            Done
          </Link>
        </BottomBar>
      }
    >
      <div className="grid gap-5 px-gutter pt-2">
        <GiftCardFace
          design={gift.design}
          title={formatDesignName(gift.design)}
          detail={isGift ? `For ${recipientName(gift)}` : "In your wallet"}
          amount={amount}
        />
        <div role="status">
          <h2 ref={heading} tabIndex={-1} className="t-title outline-none">
            {formatResult(purchase, gift)}
          </h2>
          <p className="mt-2 text-ink-2">{formatNextStep(purchase, gift)}</p>
        </div>
        {purchase.state === "Processing" && (
          <Notice>
            Bank payments take a few business days. The {amount} can be spent once yours clears. We'll let you
            know.
          </Notice>
        )}
        {isGift && (
          <div>
            <Button variant="soft" onClick={() => void shareGift(gift, amount)}>
              Tell them it's coming
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

const recipientName = ({ recipient }: GiftCardPurchase): string => recipient.name.trim() || recipient.value;

function formatResult(purchase: Purchase, gift: GiftCardPurchase): string {
  const isProcessing = purchase.state === "Processing";
  if (gift.recipient.kind === "self") return isProcessing ? "Your card is on its way" : "Your card is ready";
  if (gift.deliverOn !== "") return "Your gift is scheduled";
  return isProcessing ? "Your gift is on its way" : "Your gift is sent";
}

function formatNextStep({ amount }: Purchase, gift: GiftCardPurchase): string {
  const paid = `You paid ${formatMoney(amount)}.`;
  if (gift.recipient.kind === "self") return `${paid} Pay with it at checkout.`;
  const how = gift.recipient.kind === "phone" ? "text message" : "email";
  const when = gift.deliverOn === "" ? "" : ` on ${formatDate(gift.deliverOn)}`;
  return `${paid} ${recipientName(gift)} gets the code by ${how}${when}.`;
}

/** "December 24". The date has no time zone. */
const formatDate = (date: string): string =>
  new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" }).format(new Date(date));
