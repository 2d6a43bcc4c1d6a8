import { type ReactNode, useMemo } from "react";
import { formatMoney, type Money } from "@/lib/money";
import { Logo } from "@/ui/Logo";
import type { Balance } from "./queries";

interface JoePassProps extends Pick<Balance, "balance" | "held"> {
  /** Bought by bank debits that have not settled yet. */
  pending?: Money | undefined;
  /** A button at the right of the balance. */
  action?: ReactNode;
}

/** The JoePass with its balance, the amount on hold and the pending amount. */
export function JoePass({ balance, held, pending, action }: JoePassProps): ReactNode {
  return (
    <section
      aria-label="JoePass"
      className="relative flex min-h-46 flex-col overflow-hidden rounded-sheet bg-inverse px-5.5 pt-5 pb-5.5 text-inverse-ink"
    >
      <Contours />
      <div className="relative flex items-center justify-between">
        <Logo height={18} />
        <span className="t-small-strong">JoePass</span>
      </div>
      <div className="relative mt-auto pt-6">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div>
            <p className="t-small text-inverse-ink-2">Balance</p>
            <p className="num mt-0.5 font-display text-[min(3.25rem,17vw)] leading-none tracking-[-0.03em]">
              {formatMoney(balance)}
            </p>
          </div>
          {action}
        </div>
        {held.currencyAmount > 0 && (
          <p className="t-small num mt-2 text-inverse-ink-2">
            {formatMoney(held)} more is on hold until the store accepts your order
          </p>
        )}
        {pending && pending.currencyAmount > 0 && (
          <p className="t-small num mt-2 text-inverse-ink-2">
            {formatMoney(pending)} more is on its way from your bank
          </p>
        )}
      </div>
    </section>
  );
}

/** Latte art as contour lines: one heart in twelve sizes. */
function Contours(): ReactNode {
  const hearts = useMemo(
    () =>
      Array.from({ length: 12 }, (_, ring) => {
        const scale = 0.34 + ring * 0.235;
        return (
          <path
            key={scale}
            transform={`translate(${286 - ring * 3} ${96 + ring * 2.5}) rotate(-24) scale(${scale.toFixed(3)})`}
            d="M0 62C-10 44-62 26-60-16-58-52-16-62 0-28 16-62 58-52 60-16 62 26 10 44 0 62Z"
            strokeWidth={(1.4 / scale).toFixed(2)}
          />
        );
      }),
    [],
  );
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 350 196"
      preserveAspectRatio="xMaxYMid slice"
      className="absolute inset-0 size-full [mask:linear-gradient(90deg,transparent_24%,#000_70%)]"
    >
      <g fill="none" stroke="var(--inverse-crema)" strokeOpacity=".3">
        {hearts}
      </g>
    </svg>
  );
}
