/** Moments (RFC 3339 UTC) as people read them, in the zone of the store they are about. */

/** The zone of the device: for what is not about a store. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A promise: "8:40". The half of the day is clear from the moment it is read. */
export function formatTime(instant: string, zone: string): string {
  const parts = part(zone, { hour: "numeric", minute: "2-digit", hour12: true }).formatToParts(
    new Date(instant),
  );
  const value = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  return `${value("hour")}:${value("minute")}`;
}

/** "8:40 AM", where a time stands alone, as on a receipt or in opening hours. */
export function formatTimeOfDay(instant: string, zone: string): string {
  // Intl puts a narrow no-break space before AM; a plain one reads and compares the same everywhere.
  return part(zone, { hour: "numeric", minute: "2-digit" }).format(new Date(instant)).replace(/\s/g, " ");
}

/** "Today", "Yesterday", "Tomorrow" or "Mon, Nov 23". */
export function formatDay(instant: string, zone: string, now: Date): string {
  const days = dayNumber(new Date(instant), zone) - dayNumber(now, zone);
  if (days === 0) return "Today";
  if (days === -1) return "Yesterday";
  if (days === 1) return "Tomorrow";
  return part(zone, { weekday: "short", month: "short", day: "numeric" }).format(new Date(instant));
}

/** {@link formatDay} within a sentence: "today", "tomorrow", "Mon, Nov 23". */
export function formatDayInSentence(instant: string, zone: string, now: Date): string {
  const day = formatDay(instant, zone, now);
  return day.includes(",") ? day : day.toLowerCase();
}

/** Whole minutes from `now` until then, rounded up and never negative: what "in 9 min" counts. */
export function minutesUntil(instant: string, now: Date): number {
  return Math.max(0, Math.ceil((new Date(instant).getTime() - now.getTime()) / 60_000));
}

/** The calendar date in a zone as a count of days, so that two of them can be compared. */
function dayNumber(date: Date, zone: string): number {
  const text = part(zone, { year: "numeric", month: "2-digit", day: "2-digit" }, "en-CA").format(date);
  return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function part(zone: string, options: Intl.DateTimeFormatOptions, locale = "en-US"): Intl.DateTimeFormat {
  const key = locale + zone + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formats.set(key, found);
  }
  return found;
}
