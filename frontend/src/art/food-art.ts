import type { Food } from "./food/food";
import type { FoodKind } from "./food/kinds";
import { findWord, wordSet } from "./recipes/vocabulary";
import { palette } from "./sheet/palette";
import { createSeed, seeded } from "./sheet/random";
import { type SheetOptions, sheet } from "./sheet/svg";

export interface FoodParams extends SheetOptions {
  kind: FoodKind;
  /** A variant of the kind. The first one if missing or unknown. */
  variant?: string | undefined;
  /** Whether a bagel has cream cheese. True by default. */
  spread?: boolean | undefined;
  detail?: "small" | "full" | undefined;
}

/** Draws food of this kind as SVG text. Pure: the same parameters return the same string. */
export function foodArt(food: Food, params: FoodParams): string {
  const g = palette(params.id ?? `f${createSeed(JSON.stringify(params)).toString(36)}_`);
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
