import type { ReactNode } from "react";
import type { Cart } from "@/state/cart";
import { SkeletonLine } from "@/ui/Skeleton";
import { PromoCode } from "./PromoCode";
import type { Quote } from "./queries";
import { Totals } from "./Totals";

interface CheckoutSummaryProps {
  cart: Cart;
  quote: Quote | undefined;
  busy: boolean;
  /** The quote failed to load. The screen shows the error elsewhere. */
  failed: boolean;
  onPromo: (code: string) => void;
}

/** Promo code, totals and earned points. */
export function CheckoutSummary({ cart, quote, busy, failed, onPromo }: CheckoutSummaryProps): ReactNode {
  return (
    <section aria-label="Order total" className="pt-2">
      <PromoCode code={cart.promo.code} quote={quote} busy={busy} onChange={onPromo} />
      <div aria-live="polite" aria-busy={busy || (!quote && !failed)}>
        {quote ? (
          <>
            <Totals quote={quote} promoCode={cart.promo.code} />
            <p className="t-small mt-2.5 text-ink-2">
              {quote.points > 0 && `You'll earn ${quote.points} points. `}Cancel for free until the store
              accepts.
            </p>
          </>
        ) : failed ? null : (
          <div className="grid gap-4 pt-2">
            <SkeletonLine className="w-full" />
            <SkeletonLine className="w-full" />
            <SkeletonLine className="h-6 w-full" />
          </div>
        )}
      </div>
    </section>
  );
}
