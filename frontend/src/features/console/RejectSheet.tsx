import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { orderNumber } from "./board";
import { useReject } from "./mutations";
import type { StoreOrder } from "./queries";
import { RadioRows } from "./RadioRows";

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

/** Asks why an order is rejected, and for a confirmation. The consumer gets the reason, and a refund if they were charged. */
export function RejectSheet({ order, open, onClose }: RejectSheetProps): ReactNode {
  const reject = useReject(order.storeId);
  const [reason, setReason] = useState<string>();
  const { orderId, status } = order;
  const options = (status === "Scheduled" ? REASONS_SCHEDULED : REASONS).map((value) => ({
    value,
    label: value,
  }));
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
      <RadioRows label="Reason for the guest" options={options} selected={reason} onSelect={setReason} />
    </Sheet>
  );
}

/** Explains what a rejection means for the guest's money. */
function formatConsequence({ status, isCharged }: StoreOrder): string {
  const accepted = status === "Accepted" || status === "Preparing" ? "You've accepted this order. " : "";
  return isCharged
    ? `${accepted}The guest gets a full refund and sees the reason you choose.`
    : `${accepted}The guest isn't charged and sees the reason you choose.`;
}
