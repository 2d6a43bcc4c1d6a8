import type { DrinkParams } from "./drink";
import type { FoodParams } from "./food-art";
import { artFor, type Base, type Presentation, RECIPES } from "./recipes/art-for";
import type { DrinkChoices, Recipe } from "./recipes/recipe";
import { DRIZZLES, FLAVORS, FOAMS, MILKS, SYRUPS, TOPPINGS, wordIn, words } from "./recipes/vocabulary";
import { type DrinkSpec, FRUITS, ICE, type ItemArtSpec, LIDS, orNone } from "./spec";

/** One chosen modification, as far as it can be seen. */
export interface ArtChoice {
  /**
   * `key:value`, or a key alone where the quantity is the value:
   *
   * - `milk:oat`, `foam:vanilla`, `drizzle:caramel`, `topping:cinnamon`, `flavor:green`, `fruit:lemon`,
   *   `ice:light`, `lid:flat`: words of `recipes/vocabulary.ts` and `spec.ts`, `none` takes out, as does a
   *   quantity of 0 of the first five but milk: name it before what is chosen instead
   * - `syrup:vanilla` (also `sauce:` and `sweetener:`): the quantity is pumps, 0 takes out the item's own
   * - `shots`: the quantity is the total; `shots:2`: the total in words; `extra-shot`: added to the item's own
   * - `whip:none`, `whip:light`, `whip:regular`, `whip:extra`, `whip`
   * - `temp:hot`, `temp:iced`; `cup:here`, `cup:to-go`; `base:pour-over`: another recipe
   *
   * Anything else, empty and missing keys included, is a choice with nothing to see.
   */
  artKey?: string | null | undefined;
  quantity: number;
}

/** A menu item with what was chosen for it. */
export interface ArtSelection {
  /** Place of the chosen size in the item's list of sizes, from 0. Food and one-size items have 0. */
  sizeIndex?: number;
  choices?: readonly ArtChoice[];
}

/** What to draw for an item. */
export type ItemArtParams = { kind: "drink"; params: DrinkParams } | { kind: "food"; params: FoodParams };

type Changes = DrinkChoices & { base: Base };

/** Reads one choice into the drink; the value behind the colon may be missing. */
type Reader = (drink: Changes, value: string, quantity: number) => Partial<Changes>;

const defined = <Key extends keyof Changes>(key: Key, value: Changes[Key] | undefined): Partial<Changes> =>
  value === undefined ? {} : ({ [key]: value } as Partial<Changes>);

const syrup: Reader = (drink, value, quantity) => {
  const name = wordIn(SYRUPS, value);
  return name ? { syrups: { ...drink.syrups, [name]: quantity } } : {};
};

const usualShots = ({ base, shots }: Changes): number => {
  const recipe: Recipe = RECIPES[base];
  return shots ?? recipe.shots ?? 2;
};

const totalShots = (count: number): Partial<Changes> =>
  Number.isFinite(count) ? { shots: Math.max(0, Math.min(6, Math.round(count))) } : {};

const READERS = {
  milk: (_, value) => defined("milk", wordIn(MILKS, value)),
  foam: (_, value) => defined("foam", wordIn(orNone(FOAMS), value)),
  drizzle: (_, value) => defined("drizzle", wordIn(orNone(DRIZZLES), value)),
  topping: (_, value) => defined("topping", wordIn(orNone(TOPPINGS), value)),
  flavor: (_, value) => defined("flavor", wordIn(FLAVORS, value)),
  fruit: (_, value) => defined("fruit", wordIn(FRUITS, value)),
  ice: (_, value) => defined("ice", wordIn(ICE, value)),
  lid: (_, value) => defined("lid", wordIn(LIDS, value)),
  whip: (_, value) => ({ whip: !wordIn(words("none"), value) }),
  base: (_, value) => defined("base", wordIn(RECIPES, value)),
  syrup,
  sauce: syrup,
  sweetener: syrup,
  shots: (_, value, quantity) => totalShots(value ? Number(value) : quantity),
  "extra-shot": (drink, _, quantity) => totalShots(usualShots(drink) + quantity),
  temp: (_, value) => defined("iced", { hot: false, iced: true }[value]),
  cup: (_, value) => defined("here", { here: true, "to-go": false }[value]),
} as const satisfies Record<string, Reader>;

/** Words whose quantity of 0 is a number like any other. */
const COUNTED = words("syrup", "sauce", "sweetener", "shots", "extra-shot");
/** Words whose quantity of 0 takes out what the item comes with; of all others it means "not chosen". */
const LEFT_OUT = words("foam", "drizzle", "topping", "fruit");

function withChoice(drink: Changes, { artKey, quantity }: ArtChoice): Changes {
  const [key = "", value = ""] = (artKey ?? "").split(":", 2);
  const word = wordIn(READERS, key);
  if (!word) return drink;
  if (quantity <= 0 && wordIn(LEFT_OUT, word)) return { ...drink, ...READERS[word](drink, "none", 0) };
  if (quantity <= 0 && !wordIn(COUNTED, word)) return drink;
  const read: Reader = READERS[word];
  return { ...drink, ...read(drink, value.trim().toLowerCase(), Math.max(0, quantity)) };
}

/** The drink that `choices` make of a menu item. */
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

/**
 * From a menu item and what was chosen for it to what is drawn. The one way from data to a picture: the
 * menu calls it with an empty selection, customiser, cart, order and receipt with theirs.
 */
export function artForSelection(
  spec: ItemArtSpec,
  selection: ArtSelection = {},
  shown: Presentation = {},
): ItemArtParams {
  if (spec.kind === "drink") return { kind: "drink", params: drinkFor(spec, selection, shown) };
  const { choices = [] } = selection;
  const { box, title, id, detail } = shown;
  // food has one choice that can be seen: only cream cheese shows between the halves of a bagel
  const spread = !choices.some(
    ({ artKey, quantity }) => quantity > 0 && (artKey === "spread:none" || artKey === "spread:butter"),
  );
  return { kind: "food", params: { kind: spec.food, variant: spec.variant, spread, box, title, id, detail } };
}
