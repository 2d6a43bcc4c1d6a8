import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatTime } from "@/lib/time";
import { type LoadSlot, loadQuery } from "./queries";

/** From this share on, a slot is full for most orders. */
const FULL_PERCENT = 90;

interface LoadBarProps {
  storeId: string;
  timeZone: string;
}

/** How busy the bar is in the next hour, in slots of five minutes. */
export function LoadBar({ storeId, timeZone }: LoadBarProps): ReactNode {
  const { data } = useQuery(loadQuery(storeId));
  const [first] = data?.slots ?? [];
  if (!data || !first) return <div className="console-load" />;
  const middle = data.slots[data.slots.length / 2] ?? first;
  return (
    <figure className="console-load">
      <figcaption className="sr-only">{describeLoad(data.slots, timeZone)}</figcaption>
      <div aria-hidden="true" className="console-load-bars">
        {data.slots.map((slot) => (
          <span key={slot.startAt} className={loadPercent(slot) >= FULL_PERCENT ? "console-load-full" : ""}>
            <span style={{ height: `${Math.max(8, loadPercent(slot))}%` }} />
          </span>
        ))}
      </div>
      <p aria-hidden="true" className="t-tag num flex justify-between font-medium text-ink-3">
        <span>{formatTime(first.startAt, timeZone)}</span>
        <span>{formatTime(middle.startAt, timeZone)}</span>
        <span>in an hour</span>
      </p>
    </figure>
  );
}

/** Returns the reserved share of a slot, 0 to 100. A closed slot is empty. */
export function loadPercent({ reservedSeconds, capacitySeconds }: LoadSlot): number {
  if (capacitySeconds === 0) return reservedSeconds > 0 ? 100 : 0;
  return Math.min(100, Math.round((reservedSeconds * 100) / capacitySeconds));
}

/** Describes the load for screen readers: "Bar load, next hour: full at 8:35 and 8:40." */
export function describeLoad(slots: readonly LoadSlot[], timeZone: string): string {
  const full = slots.filter((slot) => loadPercent(slot) >= FULL_PERCENT);
  if (full.length === 0) {
    const average = slots.reduce((sum, slot) => sum + loadPercent(slot), 0) / slots.length;
    return `Bar load, next hour: ${Math.round(average)} percent.`;
  }
  return `Bar load, next hour: full at ${full.map(({ startAt }) => formatTime(startAt, timeZone)).join(", ")}.`;
}
