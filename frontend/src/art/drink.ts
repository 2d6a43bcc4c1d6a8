import type { Ingredient } from "./liquid/ingredients";
import type { PouredLayer } from "./liquid/layers";
import type { Palette } from "./sheet/palette";
import type { Random } from "./sheet/random";
import type { SheetOptions } from "./sheet/svg";
import type { Topping } from "./tops/sprinkle";

/** What a drink is served in. */
export type Vessel = "cold" | "glass" | "paper" | "ceramic" | "mug" | "bottle";

/** How one layer meets the one below: it melts into it, keeps its edge, or sinks in clouds. */
export type Edge = "soft" | "sharp" | "swirl";

/** One layer of a drink. Its share of the height is `part` over the sum of all parts. */
export interface Layer {
  of: Ingredient;
  part: number;
  edge?: Edge;
  /** What is stirred into it, each from 0 to 1. */
  mix?: Partial<Record<Ingredient, number>>;
}

/** How much ice: 0, 3, 7 or 10 cubes. */
export type Ice = "none" | "light" | "regular" | "extra";
export type Lid = "none" | "flat" | "dome" | "sip";
export type LatteArt = "none" | "rosetta" | "heart" | "tulip";
export type Fruit = "lemon" | "orange" | "lime" | "strawberry";

/** Everything that can be seen of a drink. */
export interface DrinkParams extends SheetOptions {
  vessel: Vessel;
  /** 0 (small) to 3 (extra large), also in between: the vessel grows, the counter stays. */
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
  /** Drawn where milk or foam is on top. */
  latteArt?: LatteArt;
  /** 0 to 1: how much is poured so far; drives the picture of a running order. */
  fill?: number;
  /** Draws the stream while `fill` is below 1. */
  pour?: boolean;
  /** The height that the stream falls from; may lie above the sheet (negative). */
  pourFrom?: number;
  steam?: boolean;
  /** Crushed ice, as in blended drinks. */
  blended?: boolean;
  fruit?: Fruit | undefined;
  /** `small` leaves out what cannot be seen below 72 px: droplets, speckles, clouds, the house mark. */
  detail?: "small" | "full";
  /** Where ice and droplets are scattered from. Kept while a person customises, so that nothing jumps. */
  seed?: string;
}

/** A drink while it is drawn: its parameters with defaults, its liquids, and what to paint with. */
export interface Drawing {
  readonly g: Palette;
  readonly p: DrinkParams & Required<Pick<DrinkParams, "size" | "ice" | "lid" | "fill">>;
  readonly layers: readonly PouredLayer[];
  /** A stream of numbers for one room of the drawing, so that more droplets never move the ice. */
  scatter(room: string): Random;
}

/** The measure of a vessel at a size from 0 to 3, in between by interpolation. */
export function at(sizes: readonly [number, number, number, number], size: number): number {
  const place = Math.max(0, Math.min(3, size));
  const below = Math.floor(place);
  const from = sizes[below] ?? sizes[3];
  const to = sizes[below + 1] ?? sizes[3];
  return from + (to - from) * (place - below);
}
