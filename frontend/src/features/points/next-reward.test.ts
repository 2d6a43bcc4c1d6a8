import { expect, it } from "vitest";
import { nextReward } from "./next-reward";

const tiers = [
  { points: 250, title: "$1 off" },
  { points: 1000, title: "A free drink up to $6" },
];
const at = (balance: number, known = tiers) => nextReward({ balance, tiers: known, pointsPerUnit: 10 });

it("counts what is missing for the next reward", () => {
  expect(at(182)).toEqual({ goal: 250, words: "68 more for $1 off" });
  expect(at(250)).toEqual({ goal: 1000, words: "750 more for a free drink up to $6; enough for $1 off" });
  expect(at(1200)).toEqual({ goal: 1000, words: "Enough for a free drink up to $6" });
});

it("says how points come about where there are no rewards", () => {
  expect(at(40, [])).toEqual({ goal: 40, words: "10 points for each dollar" });
});
