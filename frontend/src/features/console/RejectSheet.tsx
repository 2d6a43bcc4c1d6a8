import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
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

/** Asks why an order is rejected, and for a confirmation. The consumer gets the reason, and a refund if they were charged. */
export function RejectSheet({ order, open, onClose }: RejectSheetProps): ReactNode {
  const reject = useReject(order.storeId);
  const [reason, setReason] = useState<string>();
  // The reason to return to from the confirmation.
  const [lastReason, setLastReason] = useState<string>();
  const { orderId } = order;
  useEffect(() => {
    if (!open) return;
    setReason(undefined);
    setLastReason(undefined);
  }, [open]);
  const choose = (chosen: string) => {
    setReason(chosen);
    setLastReason(chosen);
  };
  return (
    <Sheet
      title={`Reject ${orderNumber(order)}?`}
      description={formatConsequence(order)}
      open={open}
      onClose={onClose}
      action={
        <Button variant="link" onClick={onClose}>
          Keep the order
        </Button>
      }
    >
      {reason === undefined ? (
        <Reasons order={order} focused={lastReason} onChoose={choose} />
      ) : (
        <Confirmation
          reason={reason}
          busy={reject.isPending}
          onConfirm={() => reject.mutate({ orderId, reason }, { onSettled: onClose })}
          onBack={() => setReason(undefined)}
        />
      )}
    </Sheet>
  );
}

interface ReasonsProps {
  order: StoreOrder;
  /** The reason that gets the focus, after a return from the confirmation. */
  focused: string | undefined;
  onChoose: (reason: string) => void;
}

function Reasons({ order, focused, onChoose }: ReasonsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const buttons = list.current?.querySelectorAll("button") ?? [];
    [...buttons].find(({ textContent }) => textContent === focused)?.focus();
  }, [focused]);
  return (
    <ul ref={list} aria-label="Reasons" className="grid gap-2 pt-2">
      {(order.status === "Scheduled" ? REASONS_SCHEDULED : REASONS).map((reason) => (
        <li key={reason} className="grid">
          <Button variant="line" onClick={() => onChoose(reason)}>
            {reason}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface ConfirmationProps {
  reason: string;
  busy: boolean;
  onConfirm: () => void;
  onBack: () => void;
}

function Confirmation({ reason, busy, onConfirm, onBack }: ConfirmationProps): ReactNode {
  const actions = useRef<HTMLDivElement>(null);
  // The button of the reason, which had the focus, is gone.
  useEffect(() => actions.current?.querySelector("button")?.focus(), []);
  return (
    <div className="grid gap-3 pt-2">
      <Notice>The guest reads: “{reason}”</Notice>
      <div ref={actions} className="grid gap-2">
        <Button variant="danger" busy={busy} onClick={onConfirm}>
          Reject the order
        </Button>
        <Button variant="link" disabled={busy} onClick={onBack}>
          Choose another reason
        </Button>
      </div>
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
