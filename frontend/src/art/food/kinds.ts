import { wordSet } from "../recipes/vocabulary";

/** All kinds of food. Separate from the drawings, so that parsing a menu does not load them. */
export const FOOD_KINDS = wordSet(
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

/** A value of `food` in the `art` of an item. */
export type FoodKind = keyof typeof FOOD_KINDS;
