import { type ReactNode, useEffect, useState } from "react";
import { formatTime } from "@/lib/time";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { delayTimes, orderNumber } from "./board";
import { useDelay } from "./mutations";
import { NewTimeSheet } from "./NewTimeSheet";
import type { StoreOrder } from "./queries";

/** What the consumer reads. */
const REASONS = {
  none: "",
  busy: "We're busier than we expected. Thanks for waiting.",
  machine: "One of our machines needed a break. Thanks for waiting.",
} as const;
type Reason = keyof typeof REASONS;

interface DelaySheetProps {
  order: StoreOrder;
  /** When the sheet was opened: the times to choose from do not change while it is open. */
  openedAt: Date;
  open: boolean;
  onClose: () => void;
}

/** Promises a later time. The consumer sees it at once, before they leave home. */
export function DelaySheet({ order, openedAt, open, onClose }: DelaySheetProps): ReactNode {
  const delay = useDelay(order.storeId);
  const [reason, setReason] = useState<Reason>("none");
  useEffect(() => {
    if (open) setReason("none");
  }, [open]);
  const promised = order.eta && formatTime(order.eta.readyAt, order.timeZone);
  const time = (readyAt: string) => formatTime(readyAt, order.timeZone);
  const confirm = (readyAt: string) =>
    delay.mutate({ orderId: order.orderId, readyAt, reason: REASONS[reason] }, { onSettled: onClose });
  return (
    <NewTimeSheet
      title={`More time for ${orderNumber(order)}`}
      description={`Promised for ${promised ?? "now"}. The guest sees the new time at once.`}
      times={delayTimes(order, openedAt)}
      format={(readyAt) => `Ready ${time(readyAt)}`}
      formatConfirm={(readyAt) => `Delay to ${time(readyAt)}`}
      isBusy={delay.isPending}
      onConfirm={confirm}
      open={open}
      onClose={onClose}
    >
      <SegmentedControl
        label="Reason for the guest"
        options={[
          { value: "none", label: "No reason" },
          { value: "busy", label: "Busy" },
          { value: "machine", label: "Machine" },
        ]}
        value={reason}
        onChange={setReason}
      />
    </NewTimeSheet>
  );
}
