/** Opening hours as the staff type them: "06:30" and minutes after midnight. */
import type { Schedule } from "./queries";

const MINUTES_PER_DAY = 1440;

export const WEEKDAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

/** A span with its times as text. A closing time that is not after the opening time is on the next day. */
export interface SpanInput {
  opens: string;
  closes: string;
}

type Span = Pick<Schedule["week"][number], "opensMinute" | "closesMinute">;

/** Formats minutes after midnight for a time field: 390 as "06:30", 1560 as "02:00". */
export function formatMinute(minute: number): string {
  const inDay = minute % MINUTES_PER_DAY;
  return [Math.floor(inDay / 60), inDay % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns whether the day has one span from midnight to midnight. */
export function isOpenAllDay(spans: readonly SpanInput[]): boolean {
  const [first] = spans;
  return spans.length === 1 && first?.opens === "00:00" && first.closes === "00:00";
}

/** The hours that a closed day starts with. */
const DEFAULT_SPAN: SpanInput = { opens: "08:00", closes: "18:00" };
/** Minutes between two spans of a day. */
const BREAK_MINUTES = 60;
/** The length of another span. */
const NEXT_SPAN_MINUTES = 180;

/**
 * Returns hours to add to a day: after those it has, or before them if they end late. Undefined if there is room for neither, or the
 * hours are not valid.
 */
export function suggestSpan(spans: readonly SpanInput[]): SpanInput | undefined {
  if (spans.length === 0) return DEFAULT_SPAN;
  const parsed = parseSpans(spans);
  const [first, last] = [parsed?.[0], parsed?.at(-1)];
  if (!first || !last) return undefined;
  const after = last.closesMinute + BREAK_MINUTES;
  if (after + NEXT_SPAN_MINUTES <= MINUTES_PER_DAY) return suggestAt(after);
  const before = first.opensMinute - BREAK_MINUTES - NEXT_SPAN_MINUTES;
  // The day before may have the same hours and end after midnight, too.
  return before >= Math.max(0, after - MINUTES_PER_DAY) ? suggestAt(before) : undefined;
}

const suggestAt = (opensMinute: number): SpanInput =>
  toInput({ opensMinute, closesMinute: opensMinute + NEXT_SPAN_MINUTES });

/** Returns undefined if the text is not a time. */
export function parseMinute(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [hour, minute] = [Number(match[1]), Number(match[2])];
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** Returns undefined if a time is missing. */
export function parseSpan({ opens, closes }: SpanInput): Span | undefined {
  const [opensMinute, closesMinute] = [parseMinute(opens), parseMinute(closes)];
  if (opensMinute === undefined || closesMinute === undefined) return undefined;
  return {
    opensMinute,
    closesMinute: closesMinute > opensMinute ? closesMinute : closesMinute + MINUTES_PER_DAY,
  };
}

/** Returns undefined if a span is not valid or two overlap. */
export function parseSpans(inputs: readonly SpanInput[]): Span[] | undefined {
  const spans = inputs.map(parseSpan).filter((span) => span !== undefined);
  spans.sort((a, b) => a.opensMinute - b.opensMinute);
  const overlaps = spans.some(
    (span, index) => index > 0 && span.opensMinute < (spans[index - 1]?.closesMinute ?? 0),
  );
  return spans.length === inputs.length && !overlaps ? spans : undefined;
}

export const toInput = ({ opensMinute, closesMinute }: Span): SpanInput => ({
  opens: formatMinute(opensMinute),
  closes: formatMinute(closesMinute),
});

/** Returns the spans of each weekday, Monday first. */
export function toWeekInput(week: Schedule["week"]): SpanInput[][] {
  return WEEKDAYS.map((_, index) =>
    week
      .filter(
        ({ weekday, opensMinute, closesMinute }) => weekday === index + 1 && opensMinute !== closesMinute,
      )
      .map(toInput),
  );
}

/** Returns an entry for each weekday; a closed day has equal minutes. Undefined if the hours of a day are invalid. */
export function parseWeek(days: readonly (readonly SpanInput[])[]): Schedule["week"] | undefined {
  const week: Schedule["week"] = [];
  for (const [index, inputs] of days.entries()) {
    const spans = parseSpans(inputs);
    if (!spans) return undefined;
    const entries = spans.length > 0 ? spans : [{ opensMinute: 0, closesMinute: 0 }];
    week.push(...entries.map((span) => ({ weekday: index + 1, ...span })));
  }
  return week;
}
