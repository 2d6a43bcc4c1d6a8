import type { ReactNode } from "react";
import { LineThumb } from "@/art/LineThumb";
import { getArtSelection } from "@/art/size-index";
import { customChoices, formatLine } from "@/lib/format-line";
import { formatMoney } from "@/lib/money";
import type { Order } from "./queries";

export function OrderLines({ lines }: Pick<Order, "lines">): ReactNode {
  return (
    <ul aria-label="Items in your order" className="divide-y divide-line">
      {lines.map((line) => (
        <li key={line.lineId} className="flex items-center gap-3.5 py-2.5">
          <LineThumb art={line.art} selection={getArtSelection(line)} />
          <div className="min-w-0 flex-1">
            <h3 className="t-strong">
              {line.quantity > 1 && <span className="num">{line.quantity} × </span>}
              {line.itemName}
            </h3>
            <p className="t-small text-ink-2">
              {formatLine(line.sizeName, customChoices(line.choices), line.note)}
            </p>
          </div>
          <p className="t-strong num shrink-0">{formatMoney(line.amount)}</p>
        </li>
      ))}
    </ul>
  );
}
