import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { useNow } from "@/lib/use-now";
import { BottomBar } from "@/shell/Page";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { formatReadyTime } from "./format";
import type { Quote } from "./queries";

interface CheckoutBarProps {
  quote: Quote | undefined;
  /** The quote is for a previous cart, and the next one is loading. */
  stale: boolean;
  busy: boolean;
  onPlace: () => void;
  notice: ReactNode;
  /** The same order was sent before, with an unknown outcome. It can be sent again whatever has changed since. */
  isRetry: boolean;
  /** Replaces the button while no payment method can pay the total. */
  addMethod: ReactNode;
  /** Replaces the button while the store does not make the order at the requested time. */
  storeAction: ReactNode;
}

/** The button to place the order, with total and promised time. */
export function CheckoutBar(props: CheckoutBarProps): ReactNode {
  const { quote, stale, busy, onPlace, notice, isRetry, addMethod, storeAction } = props;
  const now = useNow(30_000);
  const hasLineProblems = quote?.problems.some(({ lineId }) => lineId !== "");
  const { eta } = quote ?? {};
  return (
    <div className="sticky bottom-0 z-20">
      {notice}
      <BottomBar>
        {hasLineProblems && !isRetry ? (
          <Link to="/cart" className={buttonVariants("solid", { big: true })}>
            Update your cart
          </Link>
        ) : storeAction && !busy && !isRetry ? (
          storeAction
        ) : addMethod && !busy && !isRetry ? (
          addMethod
        ) : (
          <Button
            big
            busy={busy}
            busyLabel="Placing your order"
            disabled={!quote || stale || !(eta || isRetry)}
            onClick={onPlace}
          >
            <span className="num">
              {/* In two lines, none starts with a dot. */}
              <span className="whitespace-nowrap">
                {isRetry ? "Try again" : "Place order"}
                {quote && " ·"}
              </span>{" "}
              <span className="whitespace-nowrap">
                {quote && formatMoney(quote.total)}
                {eta && " ·"}
              </span>
              {eta && ` ready ${formatReadyTime(eta.readyAt, eta.timeZone, now)}`}
            </span>
          </Button>
        )}
      </BottomBar>
    </div>
  );
}
