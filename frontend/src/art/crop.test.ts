import { expect, it } from "vitest";
import { cropArt } from "./crop";
import { drinkArt } from "./drink-art";
import { RECIPES } from "./recipes/art-for";
import { artForSelection } from "./selection";
import { parseItemArt } from "./spec";

const cases = Object.keys(RECIPES).flatMap((base) =>
  [0, 1, 2, 3].flatMap((sizeIndex) => [true, false].map((whip) => ({ base, sizeIndex, whip }))),
);

it("never cuts a straw, at any size", () => {
  let straws = 0;
  for (const { base, sizeIndex, whip } of cases) {
    const art = artForSelection(parseItemArt({ base, iced: true, whip }), { sizeIndex });
    if (art.kind !== "drink") throw new Error("not a drink");
    const mouth = /<ellipse cx="[\d.]+" cy="([\d.]+)" rx="4\.2"/.exec(drinkArt(art.params))?.[1];
    if (mouth === undefined) continue;
    straws += 1;
    const [, top] = cropArt(art, 0.8).split(" ").map(Number);
    expect(Number(mouth) - 1.5, `${base} ${sizeIndex} ${whip}`).toBeGreaterThanOrEqual(top ?? 0);
  }
  expect(straws).toBeGreaterThan(50);
});

it("draws an espresso in its cup and a cortado in its glass, to go as well", () => {
  const toGo = [{ artKey: "cup:to-go", quantity: 1 }];
  const vessel = (base: string) => {
    const art = artForSelection(parseItemArt({ base }), { choices: toGo });
    return art.kind === "drink" && art.params.vessel;
  };
  expect([vessel("espresso"), vessel("con-panna"), vessel("cortado"), vessel("latte")]).toEqual([
    "ceramic",
    "ceramic",
    "glass",
    "paper",
  ]);
});

it("draws each brewed coffee differently", () => {
  const bases = ["drip", "dark-roast", "blonde-roast", "decaf", "pour-over", "red-eye"];
  const drawings = bases.map((base) => {
    const art = artForSelection(parseItemArt({ base }));
    if (art.kind !== "drink") throw new Error("not a drink");
    return drinkArt({ ...art.params, seed: "", id: "x" });
  });
  expect(new Set(drawings).size).toBe(bases.length);
});
