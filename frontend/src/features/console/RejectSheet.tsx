import { type ReactNode, useEffect, useId, useState } from "react";
import { Button } from "@/ui/Button";
import { radioClass } from "@/ui/radio-class";
import { Sheet } from "@/ui/Sheet";
import { orderNumber } from "./board";
import { useReject } from "./mutations";
import type { StoreOrder } from "./queries";

/** What the consumer reads. */
const REASONS = [
  "Sorry, we've run out of something in your order.",
  "Sorry, we have more orders than we can make right now.",
  "Sorry, we have to close early today.",
];
/** For an order outside the opening hours. */
const REASONS_SCHEDULED = ["Sorry, we're closed at that time.", ...REASONS.slice(0, 1)];

interface RejectSheetProps {
  order: StoreOrder;
  open: boolean;
  onClose: () => void;
}

/**
 * Asks why an order is rejected, and for a confirmation. The consumer gets the reason, and a refund if they were charged. The
 * reasons stay in their place and keep the focus, so that a second tap on one does not reject the order.
 */
export function RejectSheet({ order, open, onClose }: RejectSheetProps): ReactNode {
  const reject = useReject(order.storeId);
  const [reason, setReason] = useState<string>();
  const { orderId } = order;
  useEffect(() => {
    if (open) setReason(undefined);
  }, [open]);
  return (
    <Sheet
      title={`Reject ${orderNumber(order)}?`}
      description={formatConsequence(order)}
      open={open}
      onClose={onClose}
      action={
        <div className="grid gap-2">
          <Button
            variant="danger"
            big
            disabled={reason === undefined}
            busy={reject.isPending}
            onClick={() => reason && reject.mutate({ orderId, reason }, { onSettled: onClose })}
          >
            Reject the order
          </Button>
          <Button variant="link" onClick={onClose}>
            Keep the order
          </Button>
        </div>
      }
    >
      <Reasons order={order} selected={reason} onSelect={setReason} />
    </Sheet>
  );
}

interface ReasonsProps {
  order: StoreOrder;
  selected: string | undefined;
  onSelect: (reason: string) => void;
}

function Reasons({ order, selected, onSelect }: ReasonsProps): ReactNode {
  const name = useId();
  return (
    <div role="radiogroup" aria-label="Reason for the guest" className="divide-y divide-line">
      {(order.status === "Scheduled" ? REASONS_SCHEDULED : REASONS).map((reason) => (
        <label key={reason} className="flex min-h-16 cursor-pointer items-center gap-3 py-2.5">
          <span className="t-strong min-w-0 flex-1">{reason}</span>
          <input
            type="radio"
            name={name}
            value={reason}
            checked={selected === reason}
            onChange={() => onSelect(reason)}
            className={radioClass}
          />
        </label>
      ))}
    </div>
  );
}

/** Explains what a rejection means for the guest's money. */
function formatConsequence({ status, isCharged }: StoreOrder): string {
  const accepted = status === "Accepted" || status === "Preparing" ? "You've accepted this order. " : "";
  return isCharged
    ? `${accepted}The guest gets a full refund, and reads the reason that you choose.`
    : `${accepted}The guest isn't charged, and reads the reason that you choose.`;
}
