import type { DrinkParams } from "./drink";
import type { FoodParams } from "./food-art";
import { artFor, type Base, type Presentation, RECIPES } from "./recipes/art-for";
import type { DrinkChoices, Recipe } from "./recipes/recipe";
import { DRIZZLES, FLAVORS, FOAMS, findWord, MILKS, SYRUPS, TOPPINGS, wordSet } from "./recipes/vocabulary";
import { type DrinkSpec, FRUITS, ICE, type ItemArtSpec, LIDS, orNone } from "./spec";

/** The visible part of a choice. */
export interface ArtChoice {
  /**
   * `key:value`, or `key` if the quantity is the value:
   *
   * - `milk:oat`, `foam:vanilla`, `drizzle:caramel`, `topping:cinnamon`, `flavor:green`, `fruit:lemon`,
   *   `ice:light`, `lid:flat`: values in `recipes/vocabulary.ts` and `spec.ts`, `none` removes it, as does a
   *   quantity of 0 for foam, drizzle, topping and flavor; list removals before replacements
   * - `syrup:vanilla` (also `sauce:` and `sweetener:`): the quantity is the number of pumps, 0 removes the item's own
   * - `shots`: the quantity is the total; `shots:2`: the total as a value; `extra-shot`: added to the item's own
   * - `whip:none`, `whip:light`, `whip:regular`, `whip:extra`, `whip`
   * - `temp:hot`, `temp:iced`; `cup:here`, `cup:to-go`; `base:pour-over`: another recipe
   *
   * Other keys, including empty and missing ones, are invisible.
   */
  artKey?: string | null | undefined;
  quantity: number;
}

/** The selected size and choices of a menu item. */
export interface ArtSelection {
  /** The index of the selected size in the sizes of the item; 0 for items with one size. */
  sizeIndex?: number;
  choices?: readonly ArtChoice[];
}

export type ItemArtParams = { kind: "drink"; params: DrinkParams } | { kind: "food"; params: FoodParams };

type Changes = DrinkChoices & { base: Base };

/** Applies a choice to the drink. The value after the colon may be missing. */
type Reader = (drink: Changes, value: string, quantity: number) => Partial<Changes>;

const defined = <Key extends keyof Changes>(key: Key, value: Changes[Key] | undefined): Partial<Changes> =>
  value === undefined ? {} : ({ [key]: value } as Partial<Changes>);

const syrup: Reader = (drink, value, quantity) => {
  const name = findWord(SYRUPS, value);
  return name ? { syrups: { ...drink.syrups, [name]: quantity } } : {};
};

const defaultShots = ({ base, shots }: Changes): number => {
  const recipe: Recipe = RECIPES[base];
  return shots ?? recipe.shots ?? 2;
};

const totalShots = (count: number): Partial<Changes> =>
  Number.isFinite(count) ? { shots: Math.max(0, Math.min(6, Math.round(count))) } : {};

const READERS = {
  milk: (_, value) => defined("milk", findWord(MILKS, value)),
  foam: (_, value) => defined("foam", findWord(orNone(FOAMS), value)),
  drizzle: (_, value) => defined("drizzle", findWord(orNone(DRIZZLES), value)),
  topping: (_, value) => defined("topping", findWord(orNone(TOPPINGS), value)),
  flavor: (_, value) => defined("flavor", findWord(FLAVORS, value)),
  fruit: (_, value) => defined("fruit", findWord(FRUITS, value)),
  ice: (_, value) => defined("ice", findWord(ICE, value)),
  lid: (_, value) => defined("lid", findWord(LIDS, value)),
  whip: (_, value) => ({ whip: !findWord(wordSet("none"), value) }),
  base: (_, value) => defined("base", findWord(RECIPES, value)),
  syrup,
  sauce: syrup,
  sweetener: syrup,
  shots: (_, value, quantity) => totalShots(value ? Number(value) : quantity),
  "extra-shot": (drink, _, quantity) => totalShots(defaultShots(drink) + quantity),
  temp: (_, value) => defined("iced", { hot: false, iced: true }[value]),
  cup: (_, value) => defined("here", { here: true, "to-go": false }[value]),
} as const satisfies Record<string, Reader>;

/** Keys for which a quantity of 0 is a value. */
const COUNTED = wordSet("syrup", "sauce", "sweetener", "shots", "extra-shot");
/** Keys for which a quantity of 0 removes the default. For other keys it means "not selected". */
const LEFT_OUT = wordSet("foam", "drizzle", "topping", "fruit");

function withChoice(drink: Changes, { artKey, quantity }: ArtChoice): Changes {
  const [key = "", value = ""] = (artKey ?? "").split(":", 2);
  const word = findWord(READERS, key);
  if (!word) return drink;
  if (quantity <= 0 && findWord(LEFT_OUT, word)) return { ...drink, ...READERS[word](drink, "none", 0) };
  if (quantity <= 0 && !findWord(COUNTED, word)) return drink;
  const read: Reader = READERS[word];
  return { ...drink, ...read(drink, value.trim().toLowerCase(), Math.max(0, quantity)) };
}

/** Applies `choices` to a drink of the menu. */
function drinkFor(
  spec: DrinkSpec,
  { sizeIndex = 1, choices = [] }: ArtSelection,
  shown: Presentation,
): DrinkParams {
  const { kind: _, sizeFrom, ...start } = spec;
  const size = Math.max(0, Math.min(3, sizeIndex + sizeFrom));
  const { base, ...chosen } = choices.reduce(withChoice, { ...start, size });
  return artFor(base, chosen, shown);
}

/** Converts a menu item and a selection to drawing parameters. All screens use this function. */
export function artForSelection(
  spec: ItemArtSpec,
  selection: ArtSelection = {},
  shown: Presentation = {},
): ItemArtParams {
  if (spec.kind === "drink") return { kind: "drink", params: drinkFor(spec, selection, shown) };
  const { choices = [] } = selection;
  const { box, title, id, detail } = shown;
  // The only visible choice of food is cream cheese on a bagel.
  const spread = !choices.some(
    ({ artKey, quantity }) => quantity > 0 && (artKey === "spread:none" || artKey === "spread:butter"),
  );
  return { kind: "food", params: { kind: spec.food, variant: spec.variant, spread, box, title, id, detail } };
}
