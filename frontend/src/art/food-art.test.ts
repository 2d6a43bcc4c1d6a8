import { describe, expect, it } from "vitest";
import { FOOD_KINDS, type FoodKind } from "./food/kinds";
import { FOODS, foodArt } from "./food-art";
import { SVG } from "./testing/svg";

const KINDS = Object.keys(FOOD_KINDS) as FoodKind[];

describe("foodArt", () => {
  it.each(KINDS)("draws all variants of %s differently", (kind) => {
    const drawings = FOODS[kind].variants.map((variant) => foodArt({ kind, variant, id: "x_" }));
    expect(drawings.flatMap(SVG.findErrors)).toEqual([]);
    expect(new Set(drawings).size).toBe(drawings.length);
  });

  it.each(KINDS)("draws the default %s if the variant is missing or unknown", (kind) => {
    const defaultDrawing = foodArt({ kind, variant: FOODS[kind].variants[0], id: "x_" });
    expect(foodArt({ kind, id: "x_" })).toBe(defaultDrawing);
    expect(foodArt({ kind, variant: "unknown", id: "x_" })).toBe(defaultDrawing);
  });

  it("draws a bagel without spread", () => {
    expect(foodArt({ kind: "bagel", spread: false })).not.toContain("#5E7A36");
  });

  it("is smaller than 40 kB", () => {
    for (const kind of KINDS) expect(foodArt({ kind }).length, kind).toBeLessThan(40_000);
  });
});
