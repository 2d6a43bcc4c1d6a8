import { describe, expect, it } from "vitest";
import { drinkArt } from "./drink-art";
import { interpolate } from "./interpolate";
import { artFor, type Base, RECIPES } from "./recipes/art-for";
import { SVG } from "./testing/svg";

const total = (parts: readonly { part: number }[]) => parts.reduce((sum, { part }) => sum + part, 0);

describe("interpolate", () => {
  const small = artFor("latte", { iced: true, size: 0 });
  const oat = artFor("latte", { iced: true, size: 2, milk: "oat", syrups: { caramel: 3 } });

  it("ends at the new drink", () => {
    expect(interpolate(small, oat, 1)).toBe(oat);
  });

  it("starts with the shares of the old drink", () => {
    const start = interpolate(small, oat, 0);
    expect(start.size).toBe(0);
    expect(start.layers.map(({ of }) => of)).toEqual(["milk", "espresso"]);
    const share = (small.layers[0]?.part ?? 0) / total(small.layers);
    expect(start.layers[0]?.part).toBeCloseTo(share);
  });

  it("blends one milk into the other instead of stacking them", () => {
    const half = interpolate(small, oat, 0.5);
    expect(half.size).toBe(1);
    expect(half.layers).toHaveLength(2);
    expect(half.layers[0]).toMatchObject({ of: "milk", mix: { oat: 0.5 } });
  });

  it("grows new layers and shrinks old ones", () => {
    const foamed = artFor("latte", { iced: true, size: 0, foam: "vanilla" });
    const part = (t: number) => interpolate(small, foamed, t).layers.at(-1)?.part ?? 0;
    expect(part(0.01)).toBeLessThan(part(0.5));
    expect(part(0.5)).toBeLessThan(part(0.99));
  });

  it("changes at once between different vessels", () => {
    const hot = artFor("latte");
    expect(interpolate(small, hot, 0.2)).toBe(hot);
  });

  it("draws all steps between any two iced drinks, with shares that sum to 1", () => {
    const bases = (Object.keys(RECIPES) as Base[]).map((base) => artFor(base, { iced: true }));
    for (const [i, from] of bases.entries()) {
      const to = bases[(i * 7 + 3) % bases.length] ?? from;
      for (const t of [0.1, 0.5, 0.9]) {
        const between = interpolate(from, to, t);
        expect(total(between.layers)).toBeCloseTo(1, 5);
        expect(SVG.findErrors(drinkArt(between))).toEqual([]);
      }
    }
  });
});
