import { describe, expect, it } from "vitest";
import { artFor, type Base } from "./recipes/art-for";
import { chroma, luma } from "./sheet/color";
import { getTone } from "./tone";

describe("toneOf", () => {
  it("returns different tones for different coffees", () => {
    const bases: Base[] = ["latte", "mocha", "cold-brew", "macchiato", "cortado", "white-mocha"];
    const tones = bases.map((base) => getTone(artFor(base)));
    expect(new Set(tones).size).toBe(bases.length);
    const depths = tones.map(luma);
    expect(Math.max(...depths) - Math.min(...depths)).toBeGreaterThan(0.05);
  });

  it("is light enough for text contrast", () => {
    for (const base of ["espresso", "cold-brew", "hibiscus", "matcha", "tea"] satisfies Base[]) {
      const tone = getTone(artFor(base));
      expect(luma(tone)).toBeGreaterThan(0.72);
      expect(chroma(tone)).toBeLessThan(0.3);
    }
  });

  it("is the paper color without layers", () => {
    expect(getTone({ layers: [] }, "#F1E6D5")).toBe("#F1E6D5");
  });
});
