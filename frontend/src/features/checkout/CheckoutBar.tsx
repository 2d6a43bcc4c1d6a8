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
  /** The quote is for the cart as it was: the next one is on its way. */
  stale: boolean;
  busy: boolean;
  onPlace: () => void;
  notice: ReactNode;
  /** The same order was sent before, and no answer came. */
  resent: boolean;
}

/** The one button: what it does, what it costs, and when the coffee is ready. */
export function CheckoutBar({ quote, stale, busy, onPlace, notice, resent }: CheckoutBarProps): ReactNode {
  const now = useNow(30_000);
  const broken = (quote?.problems.length ?? 0) > 0;
  const { eta } = quote ?? {};
  return (
    <div className="sticky bottom-0 z-20">
      {notice}
      <BottomBar>
        {broken ? (
          <Link to="/cart" className={buttonVariants("solid", { big: true })}>
            Update your cart
          </Link>
        ) : (
          <Button big busy={busy} disabled={!quote || !eta || stale} onClick={onPlace}>
            <span className="num">
              {resent && !busy ? "Try again" : busy ? "Placing your order" : "Place order"}
              {quote && ` · ${formatMoney(quote.total)}`}
              {eta && ` · ready ${formatReadyTime(eta.readyAt, eta.timeZone, now)}`}
            </span>
          </Button>
        )}
      </BottomBar>
    </div>
  );
}
