import type { Ingredient } from "./liquid/ingredients";
import type { PouredLayer } from "./liquid/layers";
import type { Palette } from "./sheet/palette";
import type { Random } from "./sheet/random";
import type { SheetOptions } from "./sheet/svg";
import type { Topping } from "./tops/sprinkle";

export type Vessel = "cold" | "glass" | "paper" | "ceramic" | "mug" | "bottle";

/** The transition to the layer below: blended, sharp, or sinking in clouds. */
export type Edge = "soft" | "sharp" | "swirl";

/** One layer of a drink. Its share of the height is `part` over the sum of all parts. */
export interface Layer {
  of: Ingredient;
  part: number;
  edge?: Edge;
  /** Ingredients stirred into the layer, each from 0 to 1. */
  mix?: Partial<Record<Ingredient, number>>;
}

/** How much ice: 0, 3, 7 or 10 cubes. */
export type Ice = "none" | "light" | "regular" | "extra";
export type Lid = "none" | "flat" | "dome" | "sip";
export type LatteArt = "none" | "rosetta" | "heart" | "tulip";
/** The sleeve of a paper cup. Brewed coffees differ by it, because they look alike from above. */
export type Sleeve = "brown" | "black" | "kraft" | "sage" | "clay" | "red";
export type Fruit = "lemon" | "orange" | "lime" | "strawberry";

/** A height in the drawing from which the stream falls: above the top of the screen or of a card at any width. */
export const POUR_FROM_ABOVE_SCREEN = -260;

export interface DrinkParams extends SheetOptions {
  vessel: Vessel;
  /** 0 (small) to 3 (extra large), including fractions for animation. */
  size?: number;
  iced?: boolean;
  /** Bottom to top. */
  layers: readonly Layer[];
  whip?: boolean;
  drizzle?: Ingredient | undefined;
  topping?: Topping | undefined;
  ice?: Ice;
  lid?: Lid;
  straw?: boolean;
  /** Drawn if the top layer is milk or foam. */
  latteArt?: LatteArt;
  /** The fill level from 0 to 1, for the progress of an order. */
  fill?: number;
  /** Draws the stream while `fill` is below 1. */
  pour?: boolean;
  /** The top of the stream; negative values are above the sheet. */
  pourFrom?: number;
  steam?: boolean;
  /** Crushed ice, as in blended drinks. */
  blended?: boolean;
  fruit?: Fruit | undefined;
  sleeve?: Sleeve;
  /** `small` omits details that are invisible below 72 px: droplets, speckles, clouds, the logo. */
  detail?: "small" | "full";
  /** The seed for ice and droplets. It does not change while the drink is customized, so that they stay in place. */
  seed?: string;
}

/** The state of a drawing: parameters with defaults, layers and palette. */
export interface Drawing {
  readonly g: Palette;
  readonly p: DrinkParams & Required<Pick<DrinkParams, "size" | "ice" | "lid" | "fill">>;
  readonly layers: readonly PouredLayer[];
  /** Returns random numbers for one part of the drawing, so that more droplets do not move the ice. */
  scatter(part: string): Random;
}

/** Interpolates a measure of a vessel at a size from 0 to 3. */
export function at(sizes: readonly [number, number, number, number], size: number): number {
  const place = Math.max(0, Math.min(3, size));
  const below = Math.floor(place);
  const from = sizes[below] ?? sizes[3];
  const to = sizes[below + 1] ?? sizes[3];
  return from + (to - from) * (place - below);
}
