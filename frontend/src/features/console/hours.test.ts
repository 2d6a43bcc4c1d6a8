import { expect, it } from "vitest";
import { isOpenAllDay, parseSpans, parseWeek, suggestSpan, toWeekInput } from "./hours";

it("reads and writes times, also past midnight", () => {
  expect(parseSpans([{ opens: "18:00", closes: "02:00" }])).toEqual([
    { opensMinute: 1080, closesMinute: 1560 },
  ]);
  expect(parseSpans([{ opens: "00:00", closes: "00:00" }])).toEqual([{ opensMinute: 0, closesMinute: 1440 }]);
  expect(toWeekInput([{ weekday: 5, opensMinute: 1080, closesMinute: 1560 }])[4]).toEqual([
    { opens: "18:00", closes: "02:00" },
  ]);
});

it("finds missing times and overlapping spans", () => {
  expect(parseSpans([{ opens: "", closes: "02:00" }])).toBeUndefined();
  expect(
    parseSpans([
      { opens: "08:00", closes: "12:00" },
      { opens: "11:00", closes: "15:00" },
    ]),
  ).toBeUndefined();
  expect(parseSpans([])).toEqual([]);
});

it("names closed weekdays, too", () => {
  const week = [
    { weekday: 1, opensMinute: 390, closesMinute: 1200 },
    { weekday: 2, opensMinute: 0, closesMinute: 0 },
  ];
  const closed = [2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opensMinute: 0, closesMinute: 0 }));
  expect(parseWeek(toWeekInput(week))).toEqual([week[0], ...closed]);
});

it("suggests hours only where they do not overlap", () => {
  expect(suggestSpan([])).toEqual({ opens: "08:00", closes: "18:00" });
  expect(suggestSpan([{ opens: "07:00", closes: "14:00" }])).toEqual({ opens: "15:00", closes: "18:00" });
  expect(suggestSpan([{ opens: "06:00", closes: "20:00" }])).toEqual({ opens: "21:00", closes: "00:00" });
  for (const closes of ["02:00", "06:00", ""]) {
    expect(suggestSpan([{ opens: "06:00", closes }])).toBeUndefined();
  }
});

it("suggests hours before the others if there is no room after them", () => {
  expect(suggestSpan([{ opens: "12:00", closes: "22:00" }])).toEqual({ opens: "08:00", closes: "11:00" });
  expect(suggestSpan([{ opens: "18:00", closes: "02:00" }])).toEqual({ opens: "14:00", closes: "17:00" });
  const split = [
    { opens: "16:00", closes: "23:00" },
    { opens: "09:00", closes: "14:00" },
  ];
  expect(suggestSpan(split)).toEqual({ opens: "05:00", closes: "08:00" });
  expect(suggestSpan([{ opens: "03:59", closes: "22:00" }])).toBeUndefined();
});

it("knows a day that is open all day", () => {
  const allDay = { opens: "00:00", closes: "00:00" };
  expect(isOpenAllDay([allDay])).toBe(true);
  expect(suggestSpan([allDay])).toBeUndefined();
  expect(isOpenAllDay([{ opens: "00:00", closes: "12:00" }])).toBe(false);
  expect(isOpenAllDay([])).toBe(false);
});
