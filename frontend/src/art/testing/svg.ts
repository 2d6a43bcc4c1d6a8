import { TOPPINGS } from "../tops/sprinkle";

export const TOPPING_NAMES = TOPPINGS;

/** Validates drawings. */
export const SVG = {
  ids: (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id),

  /** Returns malformed markup, duplicate or undefined ids, and invalid numbers. */
  findErrors(text: string): string[] {
    const errors: string[] = [];
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const error = parsed.querySelector("parsererror");
    if (error) errors.push(`not well-formed: ${error.textContent}`);
    if (parsed.documentElement.localName !== "svg") errors.push("no svg");
    const ids = SVG.ids(text);
    const knownIds = new Set(ids);
    if (knownIds.size !== ids.length) errors.push("duplicate id");
    for (const [, id = ""] of text.matchAll(/url\(#([^)]+)\)/g)) {
      if (!knownIds.has(id)) errors.push(`undefined id ${id}`);
    }
    const invalid = /NaN|Infinity|undefined|null|\[object/.exec(text);
    if (invalid)
      errors.push(`${invalid[0]} in ${text.slice(Math.max(0, invalid.index - 60), invalid.index + 20)}`);
    const negative = /(?:rx|ry|r|width|height)="-[^"]*"/.exec(text);
    if (negative) errors.push(`negative length ${negative[0]}`);
    return errors;
  },
};
