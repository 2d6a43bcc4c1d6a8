import type { ReactNode } from "react";
import { cents, type Money } from "@/lib/money";
import type { CartLine } from "@/state/cart";
import { CartLineRow } from "./CartLineRow";

/** What the server says about the lines; nothing yet where there is no quote. */
export interface PricedLines {
  lines: readonly { lineId: string; quantity: number; amount: Money }[];
  problems: readonly { lineId: string; message: string }[];
}

interface CartLinesProps {
  items: readonly CartLine[];
  priced: PricedLines | undefined;
  actions?: (line: CartLine) => ReactNode;
}

/** All lines of the cart, each at the server's price as soon as that is known. */
export function CartLines({ items, priced, actions }: CartLinesProps): ReactNode {
  return (
    <ul aria-label="Items in your cart" className="divide-y divide-line">
      {items.map((line) => (
        <CartLineRow
          key={line.lineId}
          line={line}
          amount={amountOf(line, priced)}
          problem={priced?.problems.find(({ lineId }) => lineId === line.lineId)?.message}
          actions={actions?.(line)}
        />
      ))}
    </ul>
  );
}

/** A quote for another quantity is no price of this one: until the next is there, the device's own stands in. */
function amountOf(line: CartLine, priced: PricedLines | undefined): Money {
  const known = priced?.lines.find(({ lineId }) => lineId === line.lineId);
  return known?.quantity === line.quantity ? known.amount : cents(line.unitPrice * line.quantity);
}
