import { describe, expect, it } from "vitest";
import { FOOD_KINDS, type FoodKind } from "./food/kinds";
import { FOOD_MODULES } from "./food/modules";
import { type FoodParams, foodArt } from "./food-art";
import { SVG } from "./testing/svg";

const KINDS = Object.keys(FOOD_KINDS) as FoodKind[];

const draw = async (params: FoodParams) => foodArt(await FOOD_MODULES[params.kind](), params);

describe("foodArt", () => {
  it.each(KINDS)("draws all variants of %s differently", async (kind) => {
    const food = await FOOD_MODULES[kind]();
    const drawings = food.variants.map((variant) => foodArt(food, { kind, variant, id: "x_" }));
    expect(drawings.flatMap(SVG.findErrors)).toEqual([]);
    expect(new Set(drawings).size).toBe(drawings.length);
  });

  it.each(KINDS)("draws the default %s if the variant is missing or unknown", async (kind) => {
    const { variants } = await FOOD_MODULES[kind]();
    const defaultDrawing = await draw({ kind, variant: variants[0], id: "x_" });
    expect(await draw({ kind, id: "x_" })).toBe(defaultDrawing);
    expect(await draw({ kind, variant: "unknown", id: "x_" })).toBe(defaultDrawing);
  });

  it("draws a bagel without spread", async () => {
    expect(await draw({ kind: "bagel", spread: false })).not.toContain("#5E7A36");
  });

  it("is smaller than 40 kB", async () => {
    for (const kind of KINDS) expect((await draw({ kind })).length, kind).toBeLessThan(40_000);
  });
});
