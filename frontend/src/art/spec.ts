import type { Fruit, Ice, LatteArt, Lid, Vessel } from "./drink";
import { FOOD_KINDS, type FoodKind } from "./food/kinds";
import { type Base, RECIPES } from "./recipes/art-for";
import type { DrinkChoices } from "./recipes/recipe";
import { DRIZZLES, FLAVORS, FOAMS, MILKS, SYRUPS, TOPPINGS, wordIn, words } from "./recipes/vocabulary";
import { sizeFromOf } from "./size-index";

export const VESSELS = words<Vessel>("paper", "cold", "glass", "ceramic", "mug", "bottle");
export const ICE = words<Ice>("none", "light", "regular", "extra");
export const LIDS = words<Lid>("none", "flat", "dome", "sip");
export const LATTE_ART = words<LatteArt>("none", "rosetta", "heart", "tulip");
export const FRUITS = words<Fruit | "none">("none", "lemon", "orange", "lime", "strawberry");
const NONE = words("none");

/** A vocabulary in which a thing may also be left out. */
export const orNone = <Word extends string>(vocabulary: Readonly<Record<Word, unknown>>) => ({
  ...vocabulary,
  ...NONE,
});

/**
 * What a menu item says about its picture: the `art` of an item, a JSON object that the server passes on
 * without reading it. Say only what differs from the recipe; what a person chooses goes before it.
 *
 * ```json
 * { "kind": "drink", "base": "latte", "iced": true, "milk": "oat", "syrups": { "vanilla": 2 } }
 * { "kind": "food", "food": "muffin", "variant": "chocolate" }
 * ```
 *
 * Drinks:
 *
 * | key | values |
 * |---|---|
 * | `base` | a name of `recipes/coffee.ts` or `recipes/tea-and-fruit.ts`, as `latte`, `cold-brew`, `pink-drink` |
 * | `iced`, `here`, `whip` | true or false |
 * | `vessel` | `paper` `cold` `glass` `ceramic` `mug` `bottle`; follows from the base without it |
 * | `flavor` `milk` `foam` `drizzle` `topping` | words of `recipes/vocabulary.ts`; the last three also `none` |
 * | `syrups` | pumps by name: `{ "vanilla": 2 }`, names of `recipes/vocabulary.ts` |
 * | `shots` | 0 to 6 |
 * | `ice` | `none` `light` `regular` `extra` |
 * | `fruit` | `none` `lemon` `orange` `lime` `strawberry` |
 * | `latteArt` | `none` `rosetta` `heart` `tulip` |
 * | `lid` | `none` `flat` `dome` `sip` |
 * | `sizeFrom` | added to the index of the chosen size: 1 where the smallest size on the menu is a medium |
 *
 * Food: `food` is a name of `food/kinds.ts` and `variant` one of that drawing's variants (the first is the default).
 *
 * Names are compared without case, hyphens and spaces (`Cold Brew` is `cold-brew`). What is not
 * understood is left out; an unknown base is a paper cup of coffee, unknown food a cookie.
 */
export type ItemArtSpec = DrinkSpec | FoodSpec;

/** A drink on the menu. */
export interface DrinkSpec extends Omit<DrinkChoices, "size"> {
  kind: "drink";
  base: Base;
  sizeFrom: number;
}

/** Food on the menu. */
export interface FoodSpec {
  kind: "food";
  food: FoodKind;
  variant?: string;
}

const PLAIN_COFFEE: DrinkSpec = { kind: "drink", base: "drip", sizeFrom: 0 };

/** Reads the `art` of an item, as text or already parsed. Never throws: a wrong word costs a detail, not the page. */
export function parseItemArt(art: unknown): ItemArtSpec {
  const raw = typeof art === "string" ? fromJson(art) : art;
  if (typeof raw !== "object" || raw === null) return PLAIN_COFFEE;
  const said = raw as Readonly<Record<string, unknown>>;
  return wordIn(words("food"), said.kind) || (said.food !== undefined && said.base === undefined)
    ? foodOf(said)
    : drinkOf(said);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `banana-bread` and the like: a kind and a variant in one word. */
const FOOD_NAMES: Readonly<Record<string, { food: FoodKind; variant: string }>> = {
  "banana-bread": { food: "loaf", variant: "banana" },
  "pumpkin-bread": { food: "loaf", variant: "pumpkin" },
  "coffee-cake": { food: "loaf", variant: "coffee-cake" },
  "cinnamon-roll": { food: "roll", variant: "cinnamon" },
  "morning-bun": { food: "roll", variant: "morning-bun" },
  "avocado-toast": { food: "toast", variant: "avocado" },
  donut: { food: "doughnut", variant: "glazed" },
};

function foodOf(said: Readonly<Record<string, unknown>>): FoodSpec {
  const name = wordIn(FOOD_NAMES, said.food);
  const known = name === undefined ? undefined : FOOD_NAMES[name];
  const food = known?.food ?? wordIn(FOOD_KINDS, said.food) ?? "cookie";
  const variant = typeof said.variant === "string" ? said.variant : known?.variant;
  return { kind: "food", food, ...(variant === undefined ? {} : { variant }) };
}

function drinkOf(said: Readonly<Record<string, unknown>>): DrinkSpec {
  return {
    kind: "drink",
    base: wordIn(RECIPES, said.base) ?? PLAIN_COFFEE.base,
    sizeFrom: sizeFromOf(said),
    ...present({
      iced: truth(said.iced),
      here: truth(said.here),
      whip: truth(said.whip),
      vessel: wordIn(VESSELS, said.vessel),
      flavor: wordIn(FLAVORS, said.flavor),
      milk: wordIn(MILKS, said.milk),
      shots: wholeNumber(said.shots, 6),
      syrups: pumps(said.syrups),
      ice: wordIn(ICE, said.ice),
      foam: wordIn(orNone(FOAMS), said.foam),
      drizzle: wordIn(orNone(DRIZZLES), said.drizzle),
      topping: wordIn(orNone(TOPPINGS), said.topping),
      fruit: wordIn(FRUITS, said.fruit),
      latteArt: wordIn(LATTE_ART, said.latteArt),
      lid: wordIn(LIDS, said.lid),
    }),
  };
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The entries that were understood: a key with nothing behind it would hide the recipe's own. */
function present<T extends object>(entries: T): Present<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Present<T>;
}

const truth = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);

const wholeNumber = (value: unknown, most: number): number | undefined =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.max(0, Math.min(most, Math.round(value)))
    : undefined;

function pumps(value: unknown): DrinkChoices["syrups"] {
  if (typeof value !== "object" || value === null) return undefined;
  const read: NonNullable<DrinkChoices["syrups"]> = {};
  for (const [name, count] of Object.entries(value)) {
    const syrup = wordIn(SYRUPS, name);
    const amount = wholeNumber(count, 12);
    if (syrup && amount !== undefined) read[syrup] = amount;
  }
  return read;
}
