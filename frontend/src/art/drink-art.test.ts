import { describe, expect, it } from "vitest";
import type { DrinkParams, Ice, Lid, Vessel } from "./drink";
import { drinkArt } from "./drink-art";
import { seeded } from "./sheet/random";
import { SVG, TOPPING_NAMES } from "./testing/svg";

const VESSELS: Vessel[] = ["cold", "glass", "paper", "ceramic", "mug", "bottle"];
const LATTE: DrinkParams = {
  vessel: "paper",
  layers: [
    { of: "oat", part: 8, mix: { espresso: 0.18, vanilla: 0.05 } },
    { of: "foam", part: 2, edge: "sharp" },
  ],
  latteArt: "rosetta",
};
const ICED: DrinkParams = {
  vessel: "cold",
  iced: true,
  layers: [
    { of: "milk", part: 6 },
    { of: "espresso", part: 3, edge: "swirl" },
  ],
};

const pick = <T>(random: () => number, list: readonly T[]): T => {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error("empty list");
  return one;
};

/** Returns a random drink, including ones that no recipe makes. */
function randomDrink(seed: number): DrinkParams {
  const random = seeded(seed);
  const body = pick(random, ["milk", "coffee", "coldbrew", "hibiscus", "matcha", "water"] as const);
  const top = pick(random, ["foam", "espresso", "vanillafoam", "chai", "cream"] as const);
  return {
    vessel: pick(random, VESSELS),
    size: random() * 3,
    iced: random() > 0.5,
    layers: [
      { of: body, part: 1 + random() * 6, mix: { espresso: random() * 0.5 } },
      { of: top, part: random() * 4, edge: pick(random, ["soft", "sharp", "swirl"] as const) },
    ],
    ice: pick(random, ["none", "light", "regular", "extra"] satisfies Ice[]),
    lid: pick(random, ["none", "flat", "dome", "sip"] satisfies Lid[]),
    whip: random() > 0.6,
    straw: random() > 0.5,
    steam: random() > 0.5,
    blended: random() > 0.7,
    drizzle: random() > 0.5 ? "caramel" : undefined,
    topping: random() > 0.5 ? pick(random, TOPPING_NAMES) : undefined,
    fruit: random() > 0.6 ? pick(random, ["lemon", "strawberry"] as const) : undefined,
    latteArt: pick(random, ["none", "rosetta", "heart", "tulip"] as const),
    fill: pick(random, [0, 0.02, 0.4, 0.99, 1]),
    pour: random() > 0.5,
    detail: pick(random, ["small", "full"] as const),
  };
}

describe("drinkArt", () => {
  it("returns the same string for the same drink", () => {
    expect(drinkArt(LATTE)).toBe(drinkArt(structuredClone(LATTE)));
  });

  it("returns different strings for different drinks", () => {
    expect(drinkArt({ ...LATTE, size: 2 })).not.toBe(drinkArt({ ...LATTE, size: 1 }));
    expect(drinkArt({ ...LATTE, latteArt: "heart" })).not.toBe(drinkArt(LATTE));
  });

  it.each(
    VESSELS.flatMap((vessel) =>
      [0, 1, 2, 3].flatMap((size) => [
        { vessel, size, iced: true },
        { vessel, size, iced: false },
      ]),
    ),
  )("draws a well-formed $vessel of size $size, iced: $iced", (shape) => {
    expect(SVG.findErrors(drinkArt({ ...LATTE, ...shape }))).toEqual([]);
  });

  it("draws any combination of parameters without errors", () => {
    for (let seed = 1; seed <= 400; seed++) {
      const drink = randomDrink(seed);
      expect(SVG.findErrors(drinkArt(drink)), JSON.stringify(drink)).toEqual([]);
    }
  });

  it("uses unique ids for two drawings on a page", () => {
    const first = SVG.ids(drinkArt({ ...LATTE, id: "a_" }));
    const second = SVG.ids(drinkArt({ ...LATTE, id: "b_" }));
    expect(first.filter((id) => second.includes(id))).toEqual([]);
  });

  it("draws floating ice without outlines, so that it looks milky", () => {
    const floating = [...drinkArt(ICED).matchAll(/<g opacity="0\.94" [^>]*>(.*?)<\/g>/g)].map(
      ([, faces]) => faces,
    );
    expect(floating).toHaveLength(3);
    for (const faces of floating) expect(faces).not.toContain('fill="none"');
  });

  it("keeps the ice in place while the drink is customized", () => {
    const cubes = (art: string) =>
      [...art.matchAll(/<g opacity="0\.94" [^>]*>.*?<path d="([^"]+)"/g)].map(([, d]) => d);
    const sweet = drinkArt({
      ...ICED,
      layers: [{ of: "oat", part: 6 }, ...ICED.layers.slice(1)],
      drizzle: "caramel",
    });
    expect(cubes(drinkArt(ICED)).length).toBe(3);
    expect(cubes(sweet)).toEqual(cubes(drinkArt(ICED)));
  });

  it("is hidden from screen readers without a title, and escapes the title", () => {
    expect(drinkArt(LATTE)).toContain('aria-hidden="true"');
    const titled = drinkArt({ ...LATTE, title: 'Latte "the <large>" & more' });
    expect(titled).toContain('role="img" aria-label="Latte &#34;the &#60;large&#62;&#34; &#38; more"');
    expect(SVG.findErrors(titled)).toEqual([]);
  });

  it("is at most 20 kB, and clearly less without details", () => {
    const full = drinkArt({ ...ICED, ice: "extra", straw: true });
    const small = drinkArt({ ...ICED, ice: "extra", straw: true, detail: "small" });
    expect(full.length).toBeLessThan(20_000);
    expect(small.length).toBeLessThan(full.length * 0.75);
  });

  it("rises with the fill level and shows the stream", () => {
    const level = (art: string) =>
      Number(/<path d="M[\d.]+ ([\d.]+)L[^"]*" fill="url\(#\w+\)"\/><g clip-path/.exec(art)?.[1]);
    const half = drinkArt({ ...ICED, ice: "none", fill: 0.5, pour: true });
    expect(level(half)).toBeGreaterThan(level(drinkArt({ ...ICED, ice: "none", fill: 1 })));
    expect(half.length).toBeGreaterThan(drinkArt({ ...ICED, ice: "none", fill: 0.5 }).length);
  });
});
