import { TOPPINGS } from "../tops/sprinkle";

export const TOPPING_NAMES = TOPPINGS;

/** Reads drawings as a browser would and says what is wrong with them. */
export const SVG = {
  ids: (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id),

  /** Malformed markup, ids used twice or never defined, and numbers that are none. */
  faults(text: string): string[] {
    const faults: string[] = [];
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const error = parsed.querySelector("parsererror");
    if (error) faults.push(`not well-formed: ${error.textContent}`);
    if (parsed.documentElement.localName !== "svg") faults.push("no svg");
    const ids = SVG.ids(text);
    const known = new Set(ids);
    if (known.size !== ids.length) faults.push("an id stands twice");
    for (const [, id = ""] of text.matchAll(/url\(#([^)]+)\)/g)) {
      if (!known.has(id)) faults.push(`nothing has the id ${id}`);
    }
    const strange = /NaN|Infinity|undefined|null|\[object/.exec(text);
    if (strange)
      faults.push(`${strange[0]} in ${text.slice(Math.max(0, strange.index - 60), strange.index + 20)}`);
    const negative = /(?:rx|ry|r|width|height)="-[^"]*"/.exec(text);
    if (negative) faults.push(`negative measure ${negative[0]}`);
    return faults;
  },
};
