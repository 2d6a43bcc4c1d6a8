import { words } from "../recipes/vocabulary";

/** Names of all food that can be drawn. Apart from the drawings, so that reading a menu does not load them. */
export const FOOD_KINDS = words(
  "croissant",
  "muffin",
  "cookie",
  "bagel",
  "sandwich",
  "loaf",
  "scone",
  "doughnut",
  "brownie",
  "roll",
  "danish",
  "cake-pop",
  "toast",
  "egg-bites",
  "wrap",
  "oatmeal",
  "parfait",
  "box",
  "beans",
);

/** The name of a food; what `food` may say in an item's `art`. */
export type FoodKind = keyof typeof FOOD_KINDS;
