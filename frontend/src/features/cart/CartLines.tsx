import type { ReactNode } from "react";
import { cents, type Money } from "@/lib/money";
import type { CartLine } from "@/state/cart";
import { CartLineRow } from "./CartLineRow";

/** Prices and problems of the lines in a quote. */
export interface PricedLines {
  lines: readonly { lineId: string; quantity: number; amount: Money }[];
  problems: readonly { lineId: string; message: string }[];
}

interface CartLinesProps {
  items: readonly CartLine[];
  priced: PricedLines | undefined;
  actions?: (line: CartLine) => ReactNode;
}

export function CartLines({ items, priced, actions }: CartLinesProps): ReactNode {
  return (
    <ul aria-label="Items in your cart" className="divide-y divide-line">
      {items.map((line) => (
        <CartLineRow
          key={line.lineId}
          line={line}
          amount={getLineAmount(line, priced)}
          problem={priced?.problems.find(({ lineId }) => lineId === line.lineId)?.message}
          actions={actions?.(line)}
        />
      ))}
    </ul>
  );
}

/** Returns the price of the quote, or the price on the device if the quote is for another quantity. */
function getLineAmount(line: CartLine, priced: PricedLines | undefined): Money {
  const pricedLine = priced?.lines.find(({ lineId }) => lineId === line.lineId);
  return pricedLine?.quantity === line.quantity ? pricedLine.amount : cents(line.unitPrice * line.quantity);
}
