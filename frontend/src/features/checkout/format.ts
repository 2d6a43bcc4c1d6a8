import { formatDayInSentence, formatTime } from "@/lib/time";

/** Formats a promised time within a sentence: "8:40", "tomorrow 8:40", "Mon, Nov 23 8:40". */
export function formatReadyTime(instant: string, zone: string, now: Date): string {
  const day = formatDayInSentence(instant, zone, now);
  const time = formatTime(instant, zone);
  return day === "today" ? time : `${day} ${time}`;
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
