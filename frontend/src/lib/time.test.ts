import { describe, expect, it } from "vitest";
import { formatOrderDate } from "./order-date";
import {
  countMinutesUntil,
  formatDay,
  formatLocalTime,
  formatReadyTitle,
  formatTime,
  formatTimeOfDay,
} from "./time";

const LA = "America/Los_Angeles";

describe("the specification's date format, in the store's zone", () => {
  it.each([
    ["2026-11-20T16:40:00Z", LA, "Friday Nov 20, 08:40 AM"],
    ["2026-11-20T20:05:00Z", LA, "Friday Nov 20, 00:05 PM"],
    ["2026-11-20T08:00:00Z", LA, "Friday Nov 20, 00:00 AM"],
    ["2026-11-20T03:30:00Z", LA, "Thursday Nov 19, 07:30 PM"],
    ["2026-07-04T16:40:00Z", "America/New_York", "Saturday Jul 04, 00:40 PM"],
  ])("%s in %s", (instant, zone, text) => expect(formatOrderDate(instant, zone)).toBe(text));
});

it("formats a time of day of the API without AM or PM", () => {
  expect(["00:05", "08:34", "12:00", "13:05"].map(formatLocalTime)).toEqual([
    "12:05",
    "8:34",
    "12:00",
    "1:05",
  ]);
});

it("formats ready times and times of day", () => {
  expect(formatTime("2026-11-20T16:40:00Z", LA)).toBe("8:40");
  expect(formatTimeOfDay("2026-11-20T20:05:00Z", LA)).toBe("12:05 PM");
});

it("names days by the calendar of the store", () => {
  const now = new Date("2026-11-20T07:30:00Z");
  expect(formatDay("2026-11-20T08:30:00Z", LA, now)).toBe("Tomorrow");
  expect(formatDay("2026-11-20T07:59:00Z", LA, now)).toBe("Today");
  expect(formatDay("2026-11-19T07:00:00Z", LA, now)).toBe("Yesterday");
  expect(formatDay("2026-11-23T20:00:00Z", LA, now)).toBe("Mon, Nov 23");
  expect(formatDay("2030-01-01T20:00:00Z", LA, now)).toBe("Jan 1, 2030");
});

it("names the day of a promised time that is not today", () => {
  const now = new Date("2026-11-20T16:00:00Z");
  expect(formatReadyTitle("2026-11-20T16:40:00Z", LA, now)).toBe("Ready 8:40");
  expect(formatReadyTitle("2026-11-21T16:40:00Z", LA, now)).toBe("Tomorrow 8:40");
});

it("counts minutes until the ready time, at least 0", () => {
  const now = new Date("2026-11-20T16:30:01Z");
  expect(countMinutesUntil("2026-11-20T16:40:00Z", now)).toBe(10);
  expect(countMinutesUntil("2026-11-20T16:00:00Z", now)).toBe(0);
});
