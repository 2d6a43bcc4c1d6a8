import { bagel } from "./food/bagel";
import { beans } from "./food/beans";
import { cookie } from "./food/cookie";
import { croissant } from "./food/croissant";
import type { Food } from "./food/food";
import { loaf } from "./food/loaf";
import { muffin } from "./food/muffin";
import { parfait } from "./food/parfait";
import { sandwich } from "./food/sandwich";
import { wordIn, words } from "./recipes/vocabulary";
import { palette } from "./sheet/palette";
import { seeded, seedOf } from "./sheet/random";
import { type SheetOptions, sheet } from "./sheet/svg";

/** Everything that is not a drink: same sheet, same counter, same light. */
export const FOODS = { croissant, muffin, cookie, bagel, sandwich, loaf, parfait, beans };

/** The name of a food; what `food` may say in an item's `art`. */
export type FoodKind = keyof typeof FOODS;

/** What to draw. */
export interface FoodParams extends SheetOptions {
  kind: FoodKind;
  /** One of the variants of the kind; its first one where this is missing or unknown. */
  variant?: string | undefined;
  /** A bagel with cream cheese, which it has unless this is false. */
  spread?: boolean | undefined;
  detail?: "small" | "full" | undefined;
}

/** Draws food as the text of an SVG. Pure: the same food is always the same string. */
export function foodArt(params: FoodParams): string {
  const g = palette(params.id ?? `f${seedOf(JSON.stringify(params)).toString(36)}_`);
  const food = FOODS[params.kind] as Food;
  const variant = wordIn(words(...food.variants), params.variant) ?? food.variants[0];
  const body = food.draw(
    {
      g,
      random: seeded(seedOf(params.kind)),
      small: params.detail === "small",
      spread: params.spread ?? true,
    },
    variant,
  );
  return sheet(body, g.defs, params);
}
