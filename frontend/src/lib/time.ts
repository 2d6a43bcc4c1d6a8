/** Formats instants (RFC 3339 UTC) in the time zone of a store. */

/** Time zone of the device, for times that do not belong to a store. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats a ready time as "8:40", without AM or PM. */
export function formatTime(instant: string, zone: string): string {
  const parts = part(zone, { hour: "numeric", minute: "2-digit", hour12: true }).formatToParts(
    new Date(instant),
  );
  const value = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  return `${value("hour")}:${value("minute")}`;
}

/** Formats a time of day of the API, "13:05", as "1:05". The first use of Intl is slow, and delays the first screen. */
export function formatLocalTime(time: string): string {
  const [hour = "", minute = ""] = time.split(":");
  return `${Number(hour) % 12 || 12}:${minute}`;
}

/** Formats as "8:40 AM", for receipts and opening hours. */
export function formatTimeOfDay(instant: string, zone: string): string {
  // Intl writes a narrow no-break space before AM; replace it with a plain space.
  return part(zone, { hour: "numeric", minute: "2-digit" }).format(new Date(instant)).replace(/\s/g, " ");
}

/** Formats as "1:15 AM CST", for a time that occurs twice on the day on which the clocks go back. */
export function formatTimeWithZone(instant: string, zone: string): string {
  const format = part(zone, { hour: "numeric", minute: "2-digit", timeZoneName: "short" });
  return format.format(new Date(instant)).replace(/\s/g, " ");
}

/** Formats as "Today", "Yesterday", "Tomorrow" or "Mon, Nov 23", and "Jan 1, 2030" if the day is almost a year away or more. */
export function formatDay(instant: string, zone: string, now: Date): string {
  const days = dayNumber(new Date(instant), zone) - dayNumber(now, zone);
  if (days === 0) return "Today";
  if (days === -1) return "Yesterday";
  if (days === 1) return "Tomorrow";
  const other = Math.abs(days) > 300 ? { year: "numeric" as const } : { weekday: "short" as const };
  return part(zone, { ...other, month: "short", day: "numeric" }).format(new Date(instant));
}

/** {@link formatDay} within a sentence: "today", "tomorrow", "Mon, Nov 23". */
export function formatDayInSentence(instant: string, zone: string, now: Date): string {
  const day = formatDay(instant, zone, now);
  return day.includes(",") ? day : day.toLowerCase();
}

/** Formats a promised time as a title: "Ready 8:40", or with the day if it is not today: "Tomorrow 8:40". */
export function formatReadyTitle(instant: string, zone: string, now: Date): string {
  const day = formatDay(instant, zone, now);
  return `${day === "Today" ? "Ready" : day} ${formatTime(instant, zone)}`;
}

/** Returns the whole minutes from `now` until the instant, rounded up, at least 0. */
export function countMinutesUntil(instant: string, now: Date): number {
  return Math.max(0, Math.ceil((new Date(instant).getTime() - now.getTime()) / 60_000));
}

/** Returns the calendar date in a zone as a number of days. */
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
