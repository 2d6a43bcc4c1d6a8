import { expect, it } from "vitest";
import { formatDays, formatEnd, formatObstacle, formatProgress } from "./format";
import { challenge, offer } from "./testing/offers";

it("formats the progress in the unit of the goal", () => {
  expect(formatProgress(challenge({ goal: "orders", progress: 2, target: 5 }))).toBe("2 of 5 orders");
  expect(formatProgress(challenge({ goal: "stores", progress: 0, target: 1 }))).toBe("0 of 1 store");
  expect(formatProgress(challenge({ goal: "spend", progress: 1250, target: 5000 }))).toBe("$12.50 of $50");
});

it("formats the days of an offer", () => {
  expect(formatDays(offer({ weekdays: [] }))).toBe("Every day");
  expect(formatDays(offer({ weekdays: [1], isActive: true }))).toBe("Today only");
  expect(formatDays(offer({ weekdays: [1], isActive: false }))).toBe("Mondays");
  expect(formatDays(offer({ weekdays: [1, 3, 5] }))).toBe("Mondays, Wednesdays, and Fridays");
});

it("names the day of the end, and the time on the last day", () => {
  const now = new Date("2026-11-23T16:00:00Z");
  expect(formatEnd("2026-11-30T16:00:00Z", now)).toBe("Ends Mon, Nov 30");
  expect(formatEnd("2026-11-23T16:30:00Z", now)).toMatch(/^Ends today, \d+:30 [AP]M$/);
});

it("explains why an offer cannot be used", () => {
  expect(formatObstacle(offer(), false)).toBeUndefined();
  expect(formatObstacle(offer({ isUsed: true }), false)).toBe("You've used this offer.");
  expect(formatObstacle(offer({ isActive: false }), false)).toBe("This offer isn't available today.");
  expect(formatObstacle(offer({ isAppOnly: true }), false)).toBe("This offer works in the app only.");
  expect(formatObstacle(offer({ isAppOnly: true }), true)).toBeUndefined();
});
