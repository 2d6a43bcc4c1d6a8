import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import type { CompanyCard } from "./queries";

/** The card of a company with its balance, and what is on hold or pending. */
export function CompanyCardFace({ card }: { card: CompanyCard }): ReactNode {
  return (
    <section
      aria-label={`${card.companyName} card`}
      className="flex min-h-46 flex-col rounded-sheet bg-inverse px-5.5 pt-5 pb-5.5 text-inverse-ink"
    >
      <span className="t-heading">{card.companyName}</span>
      <span className="t-small text-inverse-ink-2">Works at their stores only</span>
      <div className="mt-auto pt-6">
        <p className="t-small text-inverse-ink-2">Balance</p>
        <p className="num mt-0.5 font-display text-[min(3.25rem,17vw)] leading-none tracking-[-0.03em]">
          {formatMoney(card.balance)}
        </p>
        {card.held.currencyAmount > 0 && (
          <p className="t-small num mt-2 text-inverse-ink-2">
            {formatMoney(card.held)} more is on hold until the store accepts your order
          </p>
        )}
        {card.pending.currencyAmount > 0 && (
          <p className="t-small num mt-2 text-inverse-ink-2">
            {formatMoney(card.pending)} more is pending until your bank payment clears
          </p>
        )}
      </div>
    </section>
  );
}
