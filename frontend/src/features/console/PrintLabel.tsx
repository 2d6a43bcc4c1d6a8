import Printer from "lucide-react/icons/printer";
import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { formatTime } from "@/lib/time";
import { formatGuest, formatRecipe, orderNumber } from "./board";
import type { StoreOrder } from "./queries";

/** Prints one label for each cup or bag of an order. The print style hides everything else. */
export function PrintLabel({ order }: { order: StoreOrder }): ReactNode {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    if (!isPrinting) return;
    window.print();
    setPrinting(false);
  }, [isPrinting]);
  return (
    <>
      <button
        type="button"
        aria-label={`Print labels, ${orderNumber(order)}`}
        className="console-print"
        onClick={() => setPrinting(true)}
      >
        <Printer aria-hidden="true" size={24} strokeWidth={1.75} />
      </button>
      {isPrinting && createPortal(<Labels order={order} />, document.body)}
    </>
  );
}

function Labels({ order }: { order: StoreOrder }): ReactNode {
  const labels = order.lines.flatMap((line) =>
    Array.from({ length: line.quantity }, (_, index) => ({ key: `${line.lineId}-${index}`, line })),
  );
  return (
    <div className="console-labels">
      {labels.map(({ key, line }, index) => (
        <div key={key} className="console-label">
          <b>{orderNumber(order)}</b> {formatGuest(order)}
          <p>
            {line.itemName}
            <br />
            {formatRecipe(line)}
          </p>
          {order.eta && `${formatTime(order.eta.readyAt, order.timeZone)}, `}
          {index + 1} of {labels.length}
        </div>
      ))}
    </div>
  );
}
