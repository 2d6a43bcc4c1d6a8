import { type ReactNode, useState } from "react";
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
  now: Date;
  open: boolean;
  onClose: () => void;
}

/** Promises a later time. The consumer sees it at once, before they leave home. */
export function DelaySheet({ order, now, open, onClose }: DelaySheetProps): ReactNode {
  const delay = useDelay(order.storeId);
  const [reason, setReason] = useState<Reason>("none");
  const promised = order.eta && formatTime(order.eta.readyAt, order.timeZone);
  const choose = (readyAt: string) =>
    delay.mutate({ orderId: order.orderId, readyAt, reason: REASONS[reason] }, { onSettled: onClose });
  return (
    <NewTimeSheet
      title={`More time for ${orderNumber(order)}`}
      description={`Promised for ${promised ?? "now"}. The guest sees the new time at once.`}
      times={delayTimes(order, now)}
      format={(readyAt) => `Ready ${formatTime(readyAt, order.timeZone)}`}
      isBusy={delay.isPending}
      onChoose={choose}
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
