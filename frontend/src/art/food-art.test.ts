import { describe, expect, it } from "vitest";
import { FOOD_KINDS, type FoodKind } from "./food/kinds";
import { FOODS, foodArt } from "./food-art";
import { SVG } from "./testing/svg";

const KINDS = Object.keys(FOOD_KINDS) as FoodKind[];

describe("foodArt", () => {
  it.each(KINDS)("draws %s in all its variants, each one different", (kind) => {
    const drawings = FOODS[kind].variants.map((variant) => foodArt({ kind, variant, id: "x_" }));
    expect(drawings.flatMap(SVG.faults)).toEqual([]);
    expect(new Set(drawings).size).toBe(drawings.length);
  });

  it.each(KINDS)("draws the usual %s where the variant is missing or unknown", (kind) => {
    const usual = foodArt({ kind, variant: FOODS[kind].variants[0], id: "x_" });
    expect(foodArt({ kind, id: "x_" })).toBe(usual);
    expect(foodArt({ kind, variant: "never heard of", id: "x_" })).toBe(usual);
  });

  it("draws a bagel without anything on it", () => {
    expect(foodArt({ kind: "bagel", spread: false })).not.toContain("#5E7A36");
  });

  it("stays under 40 kB", () => {
    for (const kind of KINDS) expect(foodArt({ kind }).length, kind).toBeLessThan(40_000);
  });
});
