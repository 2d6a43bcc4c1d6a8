import { type ReactNode, useEffect, useId, useRef } from "react";
import { countMinutesUntil, formatTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { formatReadyTime, formatWait } from "./format";
import { openPickupTimes } from "./open-pickup-times";

interface PickupTimesProps {
  /** The earliest promised time; null if the store accepts no orders now. */
  earliest: string | null;
  /** Later times in ascending order. */
  slots: readonly string[];
  zone: string;
  /** The selected slot; empty for as soon as possible. */
  value: string;
  onChange: (slot: string) => void;
}

/** The gutter of the screen, in px. */
const GUTTER = 20;

/** Slots shown next to the earliest time. A sheet shows all. */
const VISIBLE_SLOTS = 4;

/** Selects the pickup time: the earliest time, the next slots, or another slot in a sheet. */
export function PickupTimes({ earliest, slots, zone, value, onChange }: PickupTimesProps): ReactNode {
  const now = useNow(30_000);
  // Times pass while the screen is open.
  const upcoming = slots.filter((instant) => Date.parse(instant) > now.getTime());
  const next = upcoming.slice(0, VISIBLE_SLOTS);
  const selected = value !== "" && !next.includes(value) ? [value] : [];
  const name = useId();
  const wait = (slot: string) => formatWait(countMinutesUntil(slot, now));
  const slot = (instant: string, time: string, detail: string) => (
    <Slot
      key={instant}
      name={name}
      time={time}
      detail={detail}
      on={value === instant}
      onPick={() => onChange(instant)}
    />
  );
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected time is in the row when the value changes
  useEffect(() => showSelected(row.current), [value]);
  const showAll = () => openPickupTimes({ slots: upcoming, zone, value, onChange });
  return (
    <div ref={row} className="relative -mx-gutter overflow-x-auto px-gutter py-1 [scrollbar-width:none]">
      <div role="radiogroup" aria-label="Pickup time" className="flex w-max gap-2">
        {earliest && slot("", formatTime(earliest, zone), "earliest")}
        {selected.map((instant) => slot(instant, formatReadyTime(instant, zone, now), "selected"))}
        {next.map((instant) => slot(instant, formatReadyTime(instant, zone, now), wait(instant)))}
        {upcoming.length > VISIBLE_SLOTS && (
          <button
            type="button"
            onClick={showAll}
            className="t-small-strong min-h-16 rounded-choice bg-accent-soft px-5 text-accent"
          >
            More times
          </button>
        )}
      </div>
    </div>
  );
}

/** Scrolls to the selected time if it is not entirely visible: one of the sheet comes first in the row. */
function showSelected(row: HTMLElement | null): void {
  const slot = row?.querySelector<HTMLElement>("input:checked")?.parentElement;
  if (!row || !slot) return;
  const start = slot.offsetLeft;
  const end = start + slot.offsetWidth;
  if (start < row.scrollLeft || end > row.scrollLeft + row.clientWidth) row.scrollLeft = start - GUTTER;
}

interface SlotProps {
  name: string;
  time: string;
  detail: string;
  on: boolean;
  onPick: () => void;
}

function Slot({ name, time, detail, on, onPick }: SlotProps): ReactNode {
  return (
    <label
      className={`num relative grid min-h-16 min-w-22 cursor-pointer content-center justify-items-center rounded-choice px-4 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${on ? "bg-accent-soft edge-chosen" : "bg-surface edge-hair"}`}
    >
      <input type="radio" name={name} className="sr-only" checked={on} onChange={onPick} />
      <span className="t-strong font-display text-[1.1875rem] first-letter:uppercase">{time}</span>
      <span className={`t-small ${on ? "text-accent" : "text-ink-2"}`}>{detail}</span>
    </label>
  );
}
