import ChevronDown from "lucide-react/icons/chevron-down";
import type { ReactNode } from "react";
import { limits } from "@/api/limits.gen";
import { LineThumb } from "@/art/LineThumb";
import { formatLine } from "@/lib/format-line";
import { formatMoney, type Money } from "@/lib/money";
import { useRemovableRow } from "@/lib/use-removable-row";
import type { CartLine } from "@/state/cart";
import { setQuantity } from "@/state/cart-lines";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";

interface CartLineRowProps {
  line: CartLine;
  /** The price of the line: the server's, or the one from when it was added. */
  amount: Money;
  /** Why the line is unavailable. */
  problem?: string | undefined;
  /** Links below the description. */
  actions?: ReactNode;
}

export function CartLineRow({ line, amount, problem, actions }: CartLineRowProps): ReactNode {
  const [row, markRemoved] = useRemovableRow();
  const remove = () => {
    markRemoved();
    setQuantity(line.lineId, 0);
    toast(`${line.name} removed`);
  };
  return (
    <li ref={row} className="flex items-center gap-3.5 py-2.5">
      <LineThumb art={line.art} selection={line} />
      <div className="min-w-0 flex-1">
        <h3 className="t-strong">{line.name}</h3>
        <p className="t-small text-ink-2">{formatLine(line.sizeName, line.choices, line.note)}</p>
        {problem && <p className="t-small-strong mt-0.5 text-danger">{problem}</p>}
        {actions}
      </div>
      <div className={`shrink-0 text-right ${actions ? "self-start" : ""}`}>
        <p className={`t-strong num ${problem ? "text-ink-3 line-through" : ""}`}>{formatMoney(amount)}</p>
        {problem ? (
          <Button variant="link" onClick={remove} aria-label={`Remove ${line.name}`}>
            Remove
          </Button>
        ) : (
          <Quantity line={line} onRemove={remove} />
        )}
      </div>
    </li>
  );
}

const QUANTITIES = Array.from({ length: limits.lineQuantity }, (_, index) => index + 1);

/** A native select that looks like a link. */
function Quantity({ line, onRemove }: { line: CartLine; onRemove: () => void }): ReactNode {
  return (
    <span className="t-small-strong num relative -my-2.5 inline-flex min-h-target items-center gap-1 rounded-small text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <span aria-hidden="true">Qty {line.quantity}</span>
      <ChevronDown aria-hidden="true" size={16} strokeWidth={2} />
      <select
        aria-label={`Quantity: ${line.name}`}
        value={line.quantity}
        onChange={({ target }) => {
          if (target.value === "0") onRemove();
          else setQuantity(line.lineId, Number(target.value));
        }}
        className="absolute inset-0 w-full cursor-pointer appearance-none opacity-0"
      >
        <option value={0}>Remove</option>
        {QUANTITIES.map((quantity) => (
          <option key={quantity} value={quantity}>
            {quantity}
          </option>
        ))}
      </select>
    </span>
  );
}
