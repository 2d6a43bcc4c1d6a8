import { bagel } from "./food/bagel";
import { beans } from "./food/beans";
import { brownie } from "./food/brownie";
import { cakePop } from "./food/cake-pop";
import { cookie } from "./food/cookie";
import { croissant } from "./food/croissant";
import { danish } from "./food/danish";
import { doughnut } from "./food/doughnut";
import { eggBites } from "./food/egg-bites";
import type { Food } from "./food/food";
import type { FoodKind } from "./food/kinds";
import { loaf } from "./food/loaf";
import { muffin } from "./food/muffin";
import { oatmeal } from "./food/oatmeal";
import { parfait } from "./food/parfait";
import { roll } from "./food/roll";
import { sandwich } from "./food/sandwich";
import { scone } from "./food/scone";
import { snackBox } from "./food/snack-box";
import { toast } from "./food/toast";
import { wrap } from "./food/wrap";
import { findWord, wordSet } from "./recipes/vocabulary";
import { palette } from "./sheet/palette";
import { createSeed, seeded } from "./sheet/random";
import { type SheetOptions, sheet } from "./sheet/svg";

export const FOODS = {
  croissant,
  muffin,
  cookie,
  bagel,
  sandwich,
  loaf,
  scone,
  doughnut,
  brownie,
  roll,
  danish,
  "cake-pop": cakePop,
  toast,
  "egg-bites": eggBites,
  wrap,
  oatmeal,
  parfait,
  box: snackBox,
  beans,
} as const satisfies Record<FoodKind, unknown>;

export interface FoodParams extends SheetOptions {
  kind: FoodKind;
  /** A variant of the kind. The first one if missing or unknown. */
  variant?: string | undefined;
  /** Whether a bagel has cream cheese. True by default. */
  spread?: boolean | undefined;
  detail?: "small" | "full" | undefined;
}

/** Draws food as SVG text. Pure: the same parameters return the same string. */
export function foodArt(params: FoodParams): string {
  const g = palette(params.id ?? `f${createSeed(JSON.stringify(params)).toString(36)}_`);
  const food = FOODS[params.kind] as Food;
  const variant = findWord(wordSet(...food.variants), params.variant) ?? food.variants[0];
  const body = food.draw(
    {
      g,
      random: seeded(createSeed(params.kind)),
      small: params.detail === "small",
      spread: params.spread ?? true,
    },
    variant,
  );
  return sheet(body, g.defs, params);
}
