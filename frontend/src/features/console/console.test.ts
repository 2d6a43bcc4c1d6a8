import { expect, it } from "vitest";
import { delayTimes } from "./board";
import { formatRating, formatWait } from "./figures";
import { describeLoad, loadPercent } from "./LoadBar";
import { closestTimes } from "./RescheduleSheet";

const slot = (minute: number, reservedSeconds: number, capacitySeconds = 600) => ({
  startAt: `2026-11-20T16:${minute}:00Z`,
  reservedSeconds,
  capacitySeconds,
});

it("offers later times after the promise, or after now if that has passed", () => {
  const now = new Date("2026-11-20T16:34:20Z");
  const times = (readyAt: string) =>
    delayTimes({ eta: { readyAt, scheduled: false, timeZone: "America/Los_Angeles" } }, now);
  expect(times("2026-11-20T16:40:00Z")[0]).toBe("2026-11-20T16:45:00.000Z");
  expect(times("2026-11-20T16:30:00Z")[0]).toBe("2026-11-20T16:40:00.000Z");
});

it("offers the free times that are closest to the old one, in order", () => {
  const times = ["2026-11-20T17:00:00Z", "2026-11-20T18:00:00Z", "2026-11-21T17:00:00Z"];
  expect(closestTimes(times, "2026-11-20T17:50:00Z")).toEqual(times);
  const many = Array.from({ length: 40 }, (_, index) => new Date(index * 900_000).toISOString());
  expect(closestTimes(many, many[20] ?? "")).toEqual([...many.slice(14, 20), ...many.slice(21, 27)]);
});

it("shows a slot as full, empty or closed", () => {
  expect([slot(30, 600), slot(30, 300), slot(30, 0, 0), slot(30, 60, 0)].map(loadPercent)).toEqual([
    100, 50, 0, 100,
  ]);
  expect(describeLoad([slot(30, 600), slot(35, 0)], "America/Los_Angeles")).toBe(
    "Bar load, next hour: full at 8:30.",
  );
  expect(describeLoad([slot(30, 300), slot(35, 0)], "America/Los_Angeles")).toBe(
    "Bar load, next hour: 25 percent.",
  );
});

it("formats waits and ratings", () => {
  expect([formatWait(370), formatWait(20), formatWait(null)]).toEqual(["6 min", "1 min", "–"]);
  expect([formatRating(48), formatRating(50), formatRating(null)]).toEqual(["4.8", "5.0", "–"]);
});
