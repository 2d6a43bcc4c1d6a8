import type { ReactNode } from "react";
import { formatMoney } from "@/lib/money";
import { formatTaxRate, getRewardPoints } from "./format";
import type { Quote } from "./queries";

type Amounts = Pick<Quote, "subtotal" | "discount" | "tax" | "taxRatePpm" | "tip" | "total">;

export function Totals({ quote, promoCode }: { quote: Amounts; promoCode: string }): ReactNode {
  const { subtotal, discount, tax, taxRatePpm, tip, total } = quote;
  return (
    <dl className="num grid gap-2 pt-1">
      <TotalRow label="Subtotal" value={formatMoney(subtotal)} />
      {discount.currencyAmount > 0 && (
        <TotalRow
          label={getRewardPoints(promoCode) === null ? `Promo ${promoCode}`.trim() : "Reward"}
          value={`−${formatMoney(discount)}`}
        />
      )}
      <TotalRow label={`Tax ${formatTaxRate(taxRatePpm)}`} value={formatMoney(tax)} />
      <TotalRow label="Tip" value={formatMoney(tip)} />
      <div className="t-heading flex justify-between gap-4 border-line border-t pt-3">
        <dt>Total</dt>
        <dd>{formatMoney(total)}</dd>
      </div>
    </dl>
  );
}

function TotalRow({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
