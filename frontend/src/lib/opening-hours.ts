/** Formats opening hours and calendar days for people. */

const MINUTES_PER_DAY = 1440;

/** In minutes after midnight. The end may be on the next day. */
interface Span {
  opensMinute: number;
  closesMinute: number;
}

/** Formats "6:30 AM", "midnight". */
function formatClock(minute: number): string {
  const inDay = minute % MINUTES_PER_DAY;
  if (inDay === 0) return "midnight";
  const hour = Math.floor(inDay / 60);
  return `${hour % 12 || 12}:${String(inDay % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

/** Formats "8:00 AM to 2:00 PM", or "Closed". */
export function formatSpans(spans: readonly Span[]): string {
  if (spans.length === 0) return "Closed";
  return spans
    .map((span) => `${formatClock(span.opensMinute)} to ${formatClock(span.closesMinute)}`)
    .join(", ");
}

/** Formats a calendar day: "Thu, Nov 26". */
export function formatCalendarDay(day: string): string {
  // "Thu, 26 Nov 2026 00:00:00 GMT" in every browser. The first use of Intl is slow, and delays the first screen.
  const [weekday, date, month] = new Date(`${day}T00:00:00Z`).toUTCString().split(" ");
  return `${weekday} ${month} ${Number(date)}`;
}

interface SpecialDay {
  day: string;
  name?: string;
  openings: readonly Span[];
}

/** Formats "Closed Thu, Nov 26 (Thanksgiving)" or "Thu, Nov 26 (Thanksgiving): 8:00 AM to 2:00 PM". */
export function formatSpecialDay({ day, name, openings }: SpecialDay): string {
  const label = `${formatCalendarDay(day)}${name ? ` (${name})` : ""}`;
  return openings.length === 0 ? `Closed ${label}` : `${label}: ${formatSpans(openings)}`;
}
