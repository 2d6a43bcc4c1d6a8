import { expect, it } from "vitest";
import { parseSpans, parseWeek, toWeekInput } from "./hours";

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
