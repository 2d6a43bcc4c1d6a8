import type { Ingredient, Milk } from "../liquid/ingredients";
import type { Topping } from "../tops/sprinkle";

/** Values in the `art` of an item or after the colon of an `artKey`, with the ingredients that are drawn. */
export const MILKS = {
  whole: "milk",
  "2percent": "milk",
  skim: "skim",
  nonfat: "skim",
  oat: "oat",
  almond: "almond",
  soy: "soy",
  coconut: "coconut",
  cream: "cream",
  "half-and-half": "cream",
  breve: "cream",
} as const satisfies Record<string, Milk>;

/** A syrup or sauce: how strongly it tints milk. Clear ones have no `of`. */
interface Syrup {
  of?: Ingredient;
  strength: number;
}

export const SYRUPS = {
  vanilla: { of: "vanilla", strength: 0.05 },
  caramel: { of: "caramel", strength: 0.12 },
  hazelnut: { of: "hazelnut", strength: 0.09 },
  "brown-sugar": { of: "brownsugar", strength: 0.12 },
  mocha: { of: "mocha", strength: 0.34 },
  chocolate: { of: "mocha", strength: 0.34 },
  "white-mocha": { of: "whitemocha", strength: 0.16 },
  honey: { of: "honey", strength: 0.08 },
  lavender: { of: "lavender", strength: 0.18 },
  cinnamon: { of: "cinnamon", strength: 0.09 },
  maple: { of: "maple", strength: 0.11 },
  pumpkin: { of: "pumpkin", strength: 0.2 },
  toffee: { of: "toffee", strength: 0.11 },
  rose: { of: "rose", strength: 0.2 },
  raspberry: { of: "raspberry", strength: 0.16 },
  strawberry: { of: "strawberry", strength: 0.26 },
  chai: { of: "chai", strength: 0.3 },
  matcha: { of: "matcha", strength: 0.3 },
  peppermint: { strength: 0 },
  simple: { strength: 0 },
  sugar: { strength: 0 },
} as const satisfies Record<string, Syrup>;

export const FOAMS = {
  cold: "foam",
  vanilla: "vanillafoam",
  "salted-caramel": "saltfoam",
  berry: "berryfoam",
  matcha: "matchafoam",
  chocolate: "chocolatefoam",
  pumpkin: "pumpkinfoam",
} as const satisfies Record<string, Ingredient>;

export const DRIZZLES = {
  caramel: "caramel",
  mocha: "chocolate",
  chocolate: "chocolate",
  "white-mocha": "whitemocha",
  honey: "honey",
  strawberry: "strawberry",
} as const satisfies Record<string, Ingredient>;

export const TOPPINGS = {
  cinnamon: "cinnamon",
  cocoa: "cocoa",
  nutmeg: "nutmeg",
  matcha: "matcha",
  crunch: "crunch",
  chips: "chips",
  "sea-salt": "seasalt",
  berries: "berries",
} as const satisfies Record<string, Topping>;

export const FLAVORS = {
  black: "blacktea",
  "earl-gray": "blacktea",
  green: "greentea",
  jasmine: "greentea",
  mint: "minttea",
  chamomile: "chamomile",
  hibiscus: "hibiscus",
  rooibos: "rooibos",
  lemon: "lemonade",
  lime: "lime",
  orange: "orange",
  strawberry: "strawberry",
  raspberry: "raspberry",
  mango: "mango",
  peach: "peach",
  apple: "apple",
  berry: "blueberry",
  dragonfruit: "dragonfruit",
  greens: "greens",
  matcha: "matcha",
  chai: "chai",
  mocha: "mocha",
  caramel: "caramel",
  vanilla: "vanilla",
  "white-mocha": "whitemocha",
  pumpkin: "pumpkin",
} as const satisfies Record<string, Ingredient>;

export type MilkName = keyof typeof MILKS;
export type SyrupName = keyof typeof SYRUPS;
export type FoamName = keyof typeof FOAMS;
export type DrizzleName = keyof typeof DRIZZLES;
export type ToppingName = keyof typeof TOPPINGS;
export type FlavorName = keyof typeof FLAVORS;

/** Removes case, hyphens and spaces: `Cold Brew` and `cold-brew` are the same word. */
const normalize = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Finds a word of `vocabulary` by its normalized name. */
export function findWord<Word extends string>(
  vocabulary: Readonly<Record<Word, unknown>>,
  name: unknown,
): Word | undefined {
  if (typeof name !== "string") return undefined;
  const key = normalize(name);
  return (Object.keys(vocabulary) as Word[]).find((word) => normalize(word) === key);
}

/** Creates a vocabulary without values. */
export const wordSet = <const Word extends string>(...list: Word[]): Readonly<Record<Word, true>> =>
  Object.fromEntries(list.map((word) => [word, true])) as Record<Word, true>;
