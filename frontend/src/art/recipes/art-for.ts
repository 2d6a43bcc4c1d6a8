import type { DrinkParams, Vessel } from "../drink";
import { COFFEE } from "./coffee";
import type { DrinkChoices, Made, Recipe } from "./recipe";
import { TEA_AND_FRUIT } from "./tea-and-fruit";
import { DRIZZLES, FOAMS, TOPPINGS } from "./vocabulary";

export const RECIPES = { ...COFFEE, ...TEA_AND_FRUIT };

/** A value of `base` in the `art` of an item. */
export type Base = keyof typeof RECIPES;

/** Parameters of the drawing that are independent of the drink. */
export type Presentation = Pick<
  DrinkParams,
  "fill" | "pour" | "pourFrom" | "detail" | "box" | "steam" | "title" | "id"
>;

/** Converts a recipe and choices to drawing parameters. */
export function artFor(base: Base, choices: DrinkChoices = {}, shown: Presentation = {}): DrinkParams {
  const recipe: Recipe = RECIPES[base];
  const iced = recipe.cold ?? choices.iced ?? false;
  const { size = 1, syrups = {}, shots = recipe.shots ?? 2 } = choices;
  const made = recipe.make({ ...choices, size, iced, shots, syrups });
  const foam = choices.foam && choices.foam !== "none" ? FOAMS[choices.foam] : undefined;
  return {
    size: made.size ?? size,
    iced,
    seed: base,
    vessel: choices.vessel ?? chooseVessel(recipe, made, choices, iced),
    layers: foam ? [...made.layers, { of: foam, part: foamPart(made), edge: "sharp" }] : made.layers,
    lid: choices.lid ?? made.lid ?? "none",
    ice: choices.ice ?? made.ice ?? "regular",
    straw: made.straw ?? (iced && !foam && choices.lid !== "dome"),
    blended: made.blended ?? false,
    sleeve: made.sleeve ?? "brown",
    latteArt: choices.latteArt ?? made.latteArt ?? "none",
    whip: choices.whip ?? made.whip ?? false,
    drizzle: resolveChoice(choices.drizzle, DRIZZLES, made.drizzle),
    topping: resolveChoice(choices.topping, TOPPINGS, made.topping),
    fruit: choices.fruit === "none" ? undefined : (choices.fruit ?? made.fruit),
    ...shown,
    ...(shown.fill === undefined ? {} : beingPoured(shown.fill, shown.pour)),
  };
}

/** Resolves a choice: `none` is undefined, and a missing choice is the default of the recipe. */
function resolveChoice<Word extends string, Value>(
  word: Word | "none" | undefined,
  vocabulary: Readonly<Record<Word, Value>>,
  defaultValue: Value | undefined,
): Value | undefined {
  if (word === undefined) return defaultValue;
  return word === "none" ? undefined : vocabulary[word];
}

/** Cold foam is about a fifth of the drink. */
const foamPart = ({ layers }: Made): number => layers.reduce((sum, { part }) => sum + part, 0) * 0.26;

function chooseVessel(recipe: Recipe, made: Made, { here }: DrinkChoices, iced: boolean): Vessel {
  if (iced) return here ? "glass" : "cold";
  if (made.vessel) return made.vessel;
  return here ? (recipe.here ?? "ceramic") : "paper";
}

/** Omits lid and straw while filling, and toppings until the drink is full. */
function beingPoured(fill: number, pour: boolean | undefined): Partial<DrinkParams> {
  const bare: Partial<DrinkParams> = { fill, pour: pour ?? fill < 1, straw: false, lid: "none" };
  if (fill >= 1) return bare;
  return { ...bare, whip: false, drizzle: undefined, topping: undefined, fruit: undefined, latteArt: "none" };
}
