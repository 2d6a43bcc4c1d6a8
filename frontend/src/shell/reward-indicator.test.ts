import { expect, it } from "vitest";
import { device } from "@/state/device";
import { followRewardIndicator, hideRewardIndicator, updateRewardIndicator } from "./reward-indicator";

/** A day of November 2026; the 23rd is a Monday. */
const november = (day: number, hour = 8) => new Date(2026, 10, day, hour);

it.each([
  [23, true],
  [24, false],
  [25, true],
  [26, false],
  [27, true],
  [28, false],
  [29, false],
])("November %i, 2026: %s", (day, shows) => {
  updateRewardIndicator(november(day));
  expect(device.rewardIndicator.get()).toEqual({ day: `2026-11-${day}`, shows });
});

it("is set once a day", () => {
  updateRewardIndicator(november(23, 8));
  hideRewardIndicator();
  updateRewardIndicator(november(23, 20));
  expect(device.rewardIndicator.get()?.shows).toBe(false);
  updateRewardIndicator(november(25));
  expect(device.rewardIndicator.get()?.shows).toBe(true);
});

it("is hidden after the reward day", () => {
  updateRewardIndicator(november(23));
  updateRewardIndicator(november(24));
  expect(device.rewardIndicator.get()?.shows).toBe(false);
});

it("is restored from local storage", () => {
  updateRewardIndicator(november(23));
  expect(JSON.parse(localStorage.getItem("order-ahead.reward-indicator") ?? "")).toEqual({
    version: 1,
    value: { day: "2026-11-23", shows: true },
  });
});

it("marks the page until the consumer opens the rewards", () => {
  const isMarked = () => document.documentElement.hasAttribute("data-reward-day");
  const stop = followRewardIndicator();
  expect(isMarked()).toBe(false);
  updateRewardIndicator(november(23));
  expect(isMarked()).toBe(true);
  hideRewardIndicator();
  expect(isMarked()).toBe(false);
  stop();
});
