import { expect, it } from "vitest";
import { formatCalendarDay, formatSpans, formatSpecialDay } from "./opening-hours";

it("formats hours and days for people", () => {
  expect(formatSpans([{ opensMinute: 390, closesMinute: 1440 }])).toBe("6:30 AM to midnight");
  expect(formatSpans([])).toBe("Closed");
  expect(formatCalendarDay("2026-11-26")).toBe("Thu, Nov 26");
});

it("formats a day with special hours", () => {
  const day = { day: "2026-11-26", name: "Thanksgiving", openings: [] };
  expect(formatSpecialDay(day)).toBe("Closed Thu, Nov 26 (Thanksgiving)");
  const openings = [{ opensMinute: 480, closesMinute: 840 }];
  expect(formatSpecialDay({ ...day, name: "", openings })).toBe("Thu, Nov 26: 8:00 AM to 2:00 PM");
});
