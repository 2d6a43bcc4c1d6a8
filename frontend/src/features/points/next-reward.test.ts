import { expect, it } from "vitest";
import { describeNextReward } from "./next-reward";

const tiers = [
  { points: 250, title: "$1 off a drink", code: "REWARD250" },
  { points: 1000, title: "A free drink up to $6", code: null },
];
const at = (balance: number, known = tiers) =>
  describeNextReward({ balance, tiers: known, pointsPerUnit: 10 });

it("shows the points to the next reward", () => {
  expect(at(182)).toEqual({ goal: 250, text: "68 points to $1 off a drink." });
  expect(at(250)).toEqual({
    goal: 1000,
    text: "You have $1 off a drink. 750 points to a free drink up to $6.",
  });
  expect(at(1200)).toEqual({ goal: 1000, text: "You have a free drink up to $6." });
});

it("explains how to earn points if there are no rewards", () => {
  expect(at(40, [])).toEqual({ goal: 40, text: "Earn 10 points per dollar." });
});
