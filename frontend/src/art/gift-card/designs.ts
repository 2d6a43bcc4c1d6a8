import type { DrinkParams } from "../drink";
import type { FoodParams } from "../food-art";
import { artFor } from "../recipes/art-for";
import { confetti, contours, hearts, rays, snow, streamers } from "./patterns";

/** A drawing on the counter of a card: `left` and `width` in percent of the card. */
type Item = { left: number; width: number } & ({ drink: DrinkParams } | { food: FoodParams });

export interface CardDesign {
  label: string;
  /** The wall behind the counter, from the lamp outwards. Cards look the same in both themes, as JoePass does. */
  wall: readonly [light: string, color: string];
  counter: string;
  /** SVG text of the decoration on the wall, on a sheet of 320 x 180. */
  pattern: string;
  items: readonly Item[];
}

/** The designs of gift cards by the name that the server stores. */
export const CARD_DESIGNS = {
  classic: {
    label: "Classic",
    wall: ["#4a3021", "#2b1a12"],
    counter: "#5c4030",
    pattern: contours("#e2a660"),
    items: [{ left: 6, width: 44, drink: artFor("latte", { size: 2, here: true }) }],
  },
  birthday: {
    label: "Birthday",
    wall: ["#fbe3cf", "#eeb996"],
    counter: "#fdf4e6",
    pattern: confetti(["#a4412f", "#c98a2e", "#5c7a4d", "#7d4f6a"]),
    items: [
      { left: 12, width: 30, food: { kind: "doughnut" } },
      { left: 38, width: 34, drink: artFor("mocha", { size: 1, iced: true, whip: true }) },
      { left: 66, width: 26, food: { kind: "cake-pop" } },
    ],
  },
  "thank-you": {
    label: "Thank you",
    wall: ["#f4ead2", "#d3c193"],
    counter: "#fbf5ea",
    pattern: rays("#fff8e6"),
    items: [
      { left: 10, width: 44, drink: artFor("cappuccino", { size: 2, here: true }) },
      { left: 52, width: 38, food: { kind: "cookie" } },
    ],
  },
  congratulations: {
    label: "Congratulations",
    wall: ["#dfe4c4", "#9aa873"],
    counter: "#f4f1df",
    pattern: streamers(["#a4412f", "#c98a2e", "#fff8e6"]),
    items: [
      { left: 22, width: 32, drink: artFor("matcha", { size: 2, iced: true }) },
      { left: 48, width: 32, drink: artFor("latte", { size: 1, iced: true }) },
    ],
  },
  holiday: {
    label: "Holiday",
    wall: ["#55684f", "#2f4034"],
    counter: "#f2e9d8",
    pattern: snow("#fffaf0"),
    items: [
      { left: 14, width: 40, drink: artFor("mocha", { size: 2, whip: true, here: true }) },
      { left: 50, width: 38, food: { kind: "loaf" } },
    ],
  },
  love: {
    label: "Love",
    wall: ["#f6d3cc", "#d8978f"],
    counter: "#fbeee6",
    pattern: hearts("#a4412f"),
    items: [
      { left: 8, width: 44, drink: artFor("latte", { size: 1, here: true, latteArt: "heart" }) },
      { left: 48, width: 44, drink: artFor("latte", { size: 1, here: true, latteArt: "heart" }) },
    ],
  },
} as const satisfies Record<string, CardDesign>;

export type CardDesignName = keyof typeof CARD_DESIGNS;

/** Returns the design with this name; the classic one for names that this version does not know. */
export const findCardDesign = (name: string | null): CardDesign =>
  CARD_DESIGNS[isCardDesign(name) ? name : "classic"];

export const isCardDesign = (name: string | null): name is CardDesignName =>
  name !== null && Object.hasOwn(CARD_DESIGNS, name);
