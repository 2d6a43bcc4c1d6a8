import type { DrinkParams, Vessel } from "../drink";
import { COFFEE } from "./coffee";
import type { DrinkChoices, Made, Recipe } from "./recipe";
import { TEA_AND_FRUIT } from "./tea-and-fruit";
import { DRIZZLES, FOAMS, TOPPINGS } from "./vocabulary";

/** Every drink that can be drawn by name. */
export const RECIPES = { ...COFFEE, ...TEA_AND_FRUIT };

/** The name of a recipe; what `base` may say in an item's `art`. */
export type Base = keyof typeof RECIPES;

/** How a drink is shown, as against what it is. */
export type Presentation = Pick<
  DrinkParams,
  "fill" | "pour" | "pourFrom" | "detail" | "box" | "steam" | "title" | "id"
>;

/** From what a person chose to what is drawn, so that menu, cart, receipt and console show the same drink. */
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
    vessel: choices.vessel ?? vesselOf(recipe, made, choices, iced),
    layers: foam ? [...made.layers, { of: foam, part: foamPart(made), edge: "sharp" }] : made.layers,
    lid: choices.lid ?? made.lid ?? "none",
    ice: choices.ice ?? made.ice ?? "regular",
    straw: made.straw ?? (iced && !foam && choices.lid !== "dome"),
    blended: made.blended ?? false,
    latteArt: choices.latteArt ?? made.latteArt ?? "none",
    whip: choices.whip ?? made.whip ?? false,
    drizzle: chosen(choices.drizzle, DRIZZLES, made.drizzle),
    topping: chosen(choices.topping, TOPPINGS, made.topping),
    fruit: choices.fruit === "none" ? undefined : (choices.fruit ?? made.fruit),
    ...shown,
    ...(shown.fill === undefined ? {} : beingPoured(shown.fill, shown.pour)),
  };
}

/** What a choice names, nothing where it says `none`, and what the recipe has where nothing was chosen. */
function chosen<Word extends string, Thing>(
  word: Word | "none" | undefined,
  vocabulary: Readonly<Record<Word, Thing>>,
  usual: Thing | undefined,
): Thing | undefined {
  if (word === undefined) return usual;
  return word === "none" ? undefined : vocabulary[word];
}

/** Cold foam is a fifth of the drink, however the recipe counts its parts. */
const foamPart = ({ layers }: Made): number => layers.reduce((sum, { part }) => sum + part, 0) * 0.26;

function vesselOf(recipe: Recipe, made: Made, { here }: DrinkChoices, iced: boolean): Vessel {
  if (iced) return here ? "glass" : "cold";
  if (made.vessel) return made.vessel;
  return here ? (recipe.here ?? "ceramic") : "paper";
}

/** A drink in the making has nothing on it yet: lid, straw and toppings come when it is full. */
function beingPoured(fill: number, pour: boolean | undefined): Partial<DrinkParams> {
  const bare: Partial<DrinkParams> = { fill, pour: pour ?? fill < 1, straw: false, lid: "none" };
  if (fill >= 1) return bare;
  return { ...bare, whip: false, drizzle: undefined, topping: undefined, fruit: undefined, latteArt: "none" };
}
