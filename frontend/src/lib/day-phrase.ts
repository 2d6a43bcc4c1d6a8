import { deviceZone, formatDayInSentence } from "./time";

/** Formats the day of an event at the end of a sentence: "today", "yesterday", "on Mon, Nov 23". */
export function formatDayPhrase(instant: string, zone = deviceZone()): string {
  const day = formatDayInSentence(instant, zone, new Date());
  return day.includes(",") ? `on ${day}` : day;
}
