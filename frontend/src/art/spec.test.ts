import { describe, expect, it } from "vitest";
import { drinkArt } from "./drink-art";
import { type Base, RECIPES } from "./recipes/art-for";
import { type ArtChoice, artForSelection } from "./selection";
import { parseItemArt } from "./spec";
import { SVG } from "./testing/svg";

const choice = (artKey: string, quantity = 1): ArtChoice => ({ artKey, quantity });

/** Returns the drawing parameters of a drink with these choices. */
function drawn(art: object, choices: ArtChoice[] = [], sizeIndex = 1) {
  const item = artForSelection(parseItemArt(JSON.stringify(art)), { sizeIndex, choices });
  if (item.kind !== "drink") throw new Error("not a drink");
  return item.params;
}

const names = (art: object, choices: ArtChoice[] = []) => drawn(art, choices).layers.map(({ of }) => of);

describe("parseItemArt", () => {
  it("reads a drink", () => {
    expect(
      parseItemArt('{"kind":"drink","base":"latte","iced":true,"milk":"oat","syrups":{"vanilla":2}}'),
    ).toEqual({
      kind: "drink",
      base: "latte",
      iced: true,
      milk: "oat",
      syrups: { vanilla: 2 },
      sizeFrom: 0,
    });
  });

  it("ignores case, hyphens and spaces", () => {
    for (const base of ["cold-brew", "coldbrew", "Cold Brew", "COLD_BREW"]) {
      expect(parseItemArt({ kind: "drink", base })).toMatchObject({ base: "cold-brew" });
    }
  });

  it("ignores unknown values", () => {
    expect(parseItemArt({ base: "latte", milk: "unicorn", shots: "many", iced: "yes", glitter: 3 })).toEqual({
      kind: "drink",
      base: "latte",
      sizeFrom: 0,
    });
  });

  it.each([null, undefined, "", "not json", "[]", "7", '{"base":"glühwein"}'])(
    "draws plain coffee for %j",
    (art) => {
      expect(parseItemArt(art)).toMatchObject({ kind: "drink", base: "drip" });
    },
  );

  it("reads food with variants and aliases", () => {
    expect(parseItemArt('{"kind":"food","food":"muffin","variant":"bran"}')).toEqual({
      kind: "food",
      food: "muffin",
      variant: "bran",
    });
    expect(parseItemArt({ kind: "food", food: "banana-bread" })).toMatchObject({
      food: "loaf",
      variant: "banana",
    });
    expect(parseItemArt({ kind: "food", food: "haggis" })).toMatchObject({ food: "cookie" });
  });
});

describe("artForSelection", () => {
  it.each(Object.keys(RECIPES) as Base[])("draws %s hot and iced in every size, to go and here", (base) => {
    for (const sizeIndex of [0, 1, 2, 3]) {
      for (const extra of [
        {},
        { iced: true },
        { here: true },
        { iced: true, milk: "oat", syrups: { mocha: 3 } },
      ]) {
        const params = drawn({ base, ...extra }, [], sizeIndex);
        expect(SVG.findErrors(drinkArt(params)), JSON.stringify(extra)).toEqual([]);
      }
    }
  });

  it("draws the default item without choices", () => {
    expect(names({ base: "latte", iced: true, milk: "oat" })).toEqual(["oat", "espresso"]);
  });

  it("prefers choices to the defaults of the item", () => {
    const latte = { base: "latte", iced: true, milk: "whole", syrups: { vanilla: 2 } };
    expect(names(latte, [choice("milk:oat")])).toEqual(["oat", "espresso"]);
    expect(drawn(latte, [choice("syrup:vanilla", 0)]).layers[0]?.mix).toEqual({});
    expect(drawn(latte, [choice("ice:none"), choice("temp:hot")])).toMatchObject({
      ice: "none",
      vessel: "paper",
    });
    expect(
      drawn(latte, [choice("whip:regular"), choice("drizzle:caramel"), choice("topping:cinnamon")]),
    ).toMatchObject({
      whip: true,
      drizzle: "caramel",
      topping: "cinnamon",
    });
    expect(names(latte, [choice("foam:cold")])).toEqual(["milk", "espresso", "foam"]);
  });

  it("removes defaults", () => {
    expect(drawn({ base: "mocha" })).toMatchObject({ whip: true, drizzle: "chocolate" });
    expect(drawn({ base: "mocha" }, [choice("whip:none"), choice("drizzle:none")])).toMatchObject({
      whip: false,
    });
    expect(drawn({ base: "macchiato", iced: true }, [choice("drizzle:none")]).drizzle).toBeUndefined();
  });

  it("gets darker with shots in every notation", () => {
    const coffee = (choices: ArtChoice[]) =>
      drawn({ base: "latte", iced: true }, choices).layers[1]?.part ?? 0;
    expect(coffee([choice("shots", 3)])).toBeGreaterThan(coffee([]));
    expect(coffee([choice("shots:3")])).toBe(coffee([choice("shots", 3)]));
    expect(coffee([choice("extra-shot", 1)])).toBe(coffee([choice("shots", 3)]));
    expect(names({ base: "latte", iced: true }, [choice("shots", 0)])).toEqual(["milk"]);
  });

  it("ignores choices without a known key or with quantity 0", () => {
    const plain = drawn({ base: "latte" });
    const unseen = [
      choice(""),
      { quantity: 1 },
      { artKey: null, quantity: 1 },
      choice("warmed"),
      choice("milk:oat", 0),
    ];
    expect(drawn({ base: "latte" }, unseen)).toEqual(plain);
  });

  it("starts at the first size of the item", () => {
    expect(drawn({ base: "latte", sizeFrom: 1 }, [], 0).size).toBe(1);
    expect(drawn({ base: "latte", sizeFrom: 1 }, [], 9).size).toBe(3);
  });

  it("adds lid, straw and whip only to a full cup", () => {
    const spec = parseItemArt({ base: "mocha", iced: true, lid: "dome" });
    const item = artForSelection(spec, {}, { fill: 0.4 });
    expect(item.params).toMatchObject({ fill: 0.4, pour: true, straw: false, lid: "none", whip: false });
  });
});
