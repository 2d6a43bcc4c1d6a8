import type { ReactNode } from "react";
import { Button } from "@/ui/Button";
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

/** Asks why an order is rejected. The consumer gets the reason and a refund. */
export function RejectSheet({ order, open, onClose }: RejectSheetProps): ReactNode {
  const reject = useReject(order.storeId);
  return (
    <Sheet
      title={`Reject ${orderNumber(order)}?`}
      description="The guest is not charged and reads the reason that you choose."
      open={open}
      onClose={onClose}
      action={
        <Button variant="link" onClick={onClose}>
          Keep the order
        </Button>
      }
    >
      <ul className="grid gap-2 pt-2">
        {(order.status === "Scheduled" ? REASONS_SCHEDULED : REASONS).map((reason) => (
          <li key={reason} className="grid">
            <Button
              variant="line"
              busy={reject.isPending}
              onClick={() => reject.mutate({ orderId: order.orderId, reason }, { onSettled: onClose })}
            >
              {reason}
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
