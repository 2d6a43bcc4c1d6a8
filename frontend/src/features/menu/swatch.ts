import { getAppearance, type Ingredient } from "@/art/liquid/ingredients";
import { DRIZZLES, FOAMS, findWord, MILKS, SYRUPS } from "@/art/recipes/vocabulary";

/** Toppings are not ingredients of the drawing, so their colors are listed here. */
const POWDERS = {
  cinnamon: "#9A531F",
  cocoa: "#6B3A20",
  nutmeg: "#8A5A2B",
  matcha: "#6E9033",
  "sea-salt": "#F3EADB",
} as const;

/** Returns the color of a choice in the drawing, or undefined. */
export function getSwatch(artKey: string): string | undefined {
  const [key = "", value = ""] = artKey.split(":", 2);
  const ingredient = findIngredient(key, value);
  if (ingredient) {
    const { tint, color } = getAppearance(ingredient);
    return key === "syrup" ? (tint ?? color) : color;
  }
  const powder = key === "topping" ? findWord(POWDERS, value) : undefined;
  return powder && POWDERS[powder];
}

function findIngredient(key: string, value: string): Ingredient | undefined {
  if (key === "milk") return lookUp(MILKS, value);
  if (key === "foam") return lookUp(FOAMS, value);
  if (key === "drizzle") return lookUp(DRIZZLES, value);
  if (key !== "syrup" && key !== "sauce" && key !== "sweetener") return undefined;
  const syrup = findWord(SYRUPS, value);
  return syrup && (SYRUPS[syrup] as { of?: Ingredient }).of;
}

function lookUp<Word extends string>(
  words: Readonly<Record<Word, Ingredient>>,
  value: string,
): Ingredient | undefined {
  const word = findWord(words, value);
  return word && words[word];
}
