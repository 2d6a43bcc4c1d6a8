import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { errorMessage } from "@/api/errors";
import { formatDay, formatDayInSentence, formatTimeOfDay } from "@/lib/time";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { SkeletonRows } from "@/ui/Skeleton";
import { toast } from "@/ui/toast";
import { orderNumber } from "./board";
import { useReschedule } from "./mutations";
import { NewTimeSheet } from "./NewTimeSheet";
import { pickupTimesQuery, type StoreOrder } from "./queries";

/** Times around the old one, so that the consumer's plan changes as little as possible. */
const MAX_TIMES = 12;

/** What the consumer reads. */
const REASONS = {
  none: "",
  hours: "Our opening hours changed, so we moved your order.",
  busy: "We have too many orders at that time, so we moved yours.",
} as const;
type Reason = keyof typeof REASONS;

interface RescheduleSheetProps {
  storeId: string;
  order: StoreOrder;
  isOutsideHours: boolean;
  open: boolean;
  onClose: () => void;
}

/** Moves a scheduled order to a time at which the store is open and has capacity. */
export function RescheduleSheet({
  storeId,
  order,
  isOutsideHours,
  open,
  onClose,
}: RescheduleSheetProps): ReactNode {
  const { data: times, error } = useQuery(pickupTimesQuery(storeId));
  const reschedule = useReschedule(storeId);
  const [chosen, setReason] = useState<Reason>();
  const { orderId, timeZone: zone } = order;
  useEffect(() => {
    if (open) setReason(undefined);
  }, [open]);
  const reason = chosen ?? (isOutsideHours ? "hours" : "none");
  const number = orderNumber(order);
  const move = (readyAt: string) =>
    reschedule.mutate(
      { orderId, readyAt, reason: REASONS[reason] },
      { onSuccess: () => toast(`${number} moved`), onSettled: onClose },
    );
  const format = (readyAt: string) =>
    `${formatDay(readyAt, zone, new Date())}, ${formatTimeOfDay(readyAt, zone)}`;
  return (
    <NewTimeSheet
      title={`Move ${number}`}
      description="The guest gets the new time at once, and can cancel."
      times={times ? closestTimes(times, order.eta?.readyAt ?? "") : []}
      format={format}
      formatConfirm={(readyAt) =>
        `Move to ${formatDayInSentence(readyAt, zone, new Date())}, ${formatTimeOfDay(readyAt, zone)}`
      }
      isBusy={reschedule.isPending}
      onConfirm={move}
      open={open}
      onClose={onClose}
    >
      <SegmentedControl
        label="Reason for the guest"
        options={[
          { value: "none", label: "No reason" },
          { value: "hours", label: "Hours" },
          { value: "busy", label: "Busy" },
        ]}
        value={reason}
        onChange={setReason}
      />
      {error && !times && <p className="mt-4 text-danger">{errorMessage(error)}</p>}
      {!times && !error && <SkeletonRows count={4} />}
      {times?.length === 0 && <p className="mt-4 text-ink-2">No free times in the next few days.</p>}
    </NewTimeSheet>
  );
}

/** Returns the times closest to the old one, in order. */
export function closestTimes(times: readonly string[], readyAt: string): string[] {
  const distance = (time: string) => Math.abs(Date.parse(time) - Date.parse(readyAt));
  return [...times]
    .filter((time) => time !== readyAt)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MAX_TIMES)
    .sort();
}
