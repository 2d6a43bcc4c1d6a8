import { formatDayInSentence, formatTime, formatTimeOfDay, formatTimeWithZone } from "@/lib/time";

/** Formats a promised time within a sentence: "8:40", "tomorrow 8:40", "Mon, Nov 23 8:40". */
export function formatReadyTime(instant: string, zone: string, now: Date): string {
  const day = formatDayInSentence(instant, zone, now);
  const time = formatTime(instant, zone);
  return day === "today" ? time : `${day} ${time}`;
}

/** Formats times of day by slot. Those that occur twice, because the clocks go back, have the zone: "1:15 AM CST". */
export function formatSlots(slots: readonly string[], zone: string): ReadonlyMap<string, string> {
  const isRepeated = (slot: string) => {
    const hour = 60 * 60_000;
    const at = Date.parse(slot);
    const time = formatTimeOfDay(slot, zone);
    return [at - hour, at + hour].some(
      (other) => formatTimeOfDay(new Date(other).toISOString(), zone) === time,
    );
  };
  return new Map(
    slots.map((slot) => [
      slot,
      isRepeated(slot) ? formatTimeWithZone(slot, zone) : formatTimeOfDay(slot, zone),
    ]),
  );
}

/** Formats a wait: "24 min", "1 h 5 min". */
export function formatWait(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** Formats parts per million without floats: 95000 is "9.5%". */
export function formatTaxRate(ppm: number): string {
  const whole = Math.floor(ppm / 10_000);
  const rest = String(ppm % 10_000)
    .padStart(4, "0")
    .replace(/0+$/, "");
  return rest === "" ? `${whole}%` : `${whole}.${rest}%`;
}

/** Returns the points that a reward costs, by its code; null for other promo codes, which never have this form. */
export function getRewardPoints(code: string): number | null {
  const points = /^REWARD(\d+)$/.exec(code)?.[1];
  return points === undefined ? null : Number(points);
}
