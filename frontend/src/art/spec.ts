import type { Fruit, Ice, LatteArt, Lid, Vessel } from "./drink";
import { FOOD_KINDS, type FoodKind } from "./food/kinds";
import { type Base, RECIPES } from "./recipes/art-for";
import type { DrinkChoices } from "./recipes/recipe";
import { DRIZZLES, FLAVORS, FOAMS, findWord, MILKS, SYRUPS, TOPPINGS, wordSet } from "./recipes/vocabulary";
import { parseSizeFrom } from "./size-index";

export const VESSELS = wordSet<Vessel>("paper", "cold", "glass", "ceramic", "mug", "bottle");
export const ICE = wordSet<Ice>("none", "light", "regular", "extra");
export const LIDS = wordSet<Lid>("none", "flat", "dome", "sip");
export const LATTE_ART = wordSet<LatteArt>("none", "rosetta", "heart", "tulip");
export const FRUITS = wordSet<Fruit | "none">("none", "lemon", "orange", "lime", "strawberry");
const NONE = wordSet("none");

/** Adds `none` to a vocabulary. */
export const orNone = <Word extends string>(vocabulary: Readonly<Record<Word, unknown>>) => ({
  ...vocabulary,
  ...NONE,
});

/**
 * The `art` of a menu item: a JSON object that the server does not interpret. It contains only differences from the
 * recipe. Choices of the consumer override it.
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
 * | `base` | a name of `recipes/coffee.ts` or `recipes/tea-and-fruit.ts`, for example `latte`, `cold-brew`, `pink-drink` |
 * | `iced`, `here`, `whip` | true or false |
 * | `vessel` | `paper` `cold` `glass` `ceramic` `mug` `bottle`; derived from the base by default |
 * | `flavor` `milk` `foam` `drizzle` `topping` | values in `recipes/vocabulary.ts`; the last three also `none` |
 * | `syrups` | pumps by name: `{ "vanilla": 2 }`, names of `recipes/vocabulary.ts` |
 * | `shots` | 0 to 6 |
 * | `ice` | `none` `light` `regular` `extra` |
 * | `fruit` | `none` `lemon` `orange` `lime` `strawberry` |
 * | `latteArt` | `none` `rosetta` `heart` `tulip` |
 * | `lid` | `none` `flat` `dome` `sip` |
 * | `sizeFrom` | added to the index of the selected size: 1 if the smallest size of the item is a medium |
 *
 * Food: `food` is a name of `food/kinds.ts` and `variant` one of that drawing's variants (the first is the default).
 *
 * Names are compared without case, hyphens and spaces (`Cold Brew` is `cold-brew`). Unknown values are ignored; an unknown
 * base is a paper cup of coffee, and unknown food a cookie.
 */
export type ItemArtSpec = DrinkSpec | FoodSpec;

export interface DrinkSpec extends Omit<DrinkChoices, "size"> {
  kind: "drink";
  base: Base;
  sizeFrom: number;
}

export interface FoodSpec {
  kind: "food";
  food: FoodKind;
  variant?: string;
}

const PLAIN_COFFEE: DrinkSpec = { kind: "drink", base: "drip", sizeFrom: 0 };

/** Parses the `art` of an item, as JSON text or an object. Never throws: unknown values are ignored. */
export function parseItemArt(art: unknown): ItemArtSpec {
  const raw = typeof art === "string" ? fromJson(art) : art;
  if (typeof raw !== "object" || raw === null) return PLAIN_COFFEE;
  const fields = raw as Readonly<Record<string, unknown>>;
  return findWord(wordSet("food"), fields.kind) || (fields.food !== undefined && fields.base === undefined)
    ? parseFood(fields)
    : parseDrink(fields);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Aliases for a kind and a variant, for example `banana-bread`. */
const FOOD_NAMES: Readonly<Record<string, { food: FoodKind; variant: string }>> = {
  "banana-bread": { food: "loaf", variant: "banana" },
  "pumpkin-bread": { food: "loaf", variant: "pumpkin" },
  "coffee-cake": { food: "loaf", variant: "coffee-cake" },
  "cinnamon-roll": { food: "roll", variant: "cinnamon" },
  "morning-bun": { food: "roll", variant: "morning-bun" },
  "avocado-toast": { food: "toast", variant: "avocado" },
  donut: { food: "doughnut", variant: "glazed" },
};

function parseFood(fields: Readonly<Record<string, unknown>>): FoodSpec {
  const name = findWord(FOOD_NAMES, fields.food);
  const known = name === undefined ? undefined : FOOD_NAMES[name];
  const food = known?.food ?? findWord(FOOD_KINDS, fields.food) ?? "cookie";
  const variant = typeof fields.variant === "string" ? fields.variant : known?.variant;
  return { kind: "food", food, ...(variant === undefined ? {} : { variant }) };
}

function parseDrink(fields: Readonly<Record<string, unknown>>): DrinkSpec {
  return {
    kind: "drink",
    base: findWord(RECIPES, fields.base) ?? PLAIN_COFFEE.base,
    sizeFrom: parseSizeFrom(fields),
    ...present({
      iced: parseBoolean(fields.iced),
      here: parseBoolean(fields.here),
      whip: parseBoolean(fields.whip),
      vessel: findWord(VESSELS, fields.vessel),
      flavor: findWord(FLAVORS, fields.flavor),
      milk: findWord(MILKS, fields.milk),
      shots: wholeNumber(fields.shots, 6),
      syrups: pumps(fields.syrups),
      ice: findWord(ICE, fields.ice),
      foam: findWord(orNone(FOAMS), fields.foam),
      drizzle: findWord(orNone(DRIZZLES), fields.drizzle),
      topping: findWord(orNone(TOPPINGS), fields.topping),
      fruit: findWord(FRUITS, fields.fruit),
      latteArt: findWord(LATTE_ART, fields.latteArt),
      lid: findWord(LIDS, fields.lid),
    }),
  };
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Removes undefined values, which would hide the defaults of the recipe. */
function present<T extends object>(entries: T): Present<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Present<T>;
}

const parseBoolean = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

const wholeNumber = (value: unknown, max: number): number | undefined =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.max(0, Math.min(max, Math.round(value)))
    : undefined;

function pumps(value: unknown): DrinkChoices["syrups"] {
  if (typeof value !== "object" || value === null) return undefined;
  const read: NonNullable<DrinkChoices["syrups"]> = {};
  for (const [name, count] of Object.entries(value)) {
    const syrup = findWord(SYRUPS, name);
    const amount = wholeNumber(count, 12);
    if (syrup && amount !== undefined) read[syrup] = amount;
  }
  return read;
}
