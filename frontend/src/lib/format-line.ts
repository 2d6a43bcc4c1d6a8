/** Formats a line of a cart or an order: "Medium, oat milk, 2 vanilla". */

interface Choice {
  /** Display name: "Oat milk", "Vanilla", "No ice". */
  name: string;
  quantity: number;
}

/** Joins the size, the changed choices and the note to the barista. Choices without a name are defaults. */
export function formatLine(sizeName: string, choices: readonly Choice[], note = ""): string {
  const parts = [sizeName, ...formatChanges(choices)].filter(Boolean).join(", ");
  const sentence = parts.charAt(0).toUpperCase() + parts.slice(1);
  if (!note) return sentence;
  return sentence ? `${sentence}. “${note}”` : `“${note}”`;
}

/** Formats each changed choice for the middle of a sentence: "oat milk", "2 vanilla". */
export function formatChanges(choices: readonly Choice[]): string[] {
  return choices.map(({ name, quantity }) => {
    const lower = lowerFirst(name);
    if (quantity <= 1) return lower;
    return lower && `${quantity} ${lower.replace(/\bshot$/, "shots")}`;
  });
}

interface OrderedChoice {
  choiceName: string;
  modificationName: string;
  quantity: number;
  artKey: string;
  /** A default of the item. */
  isDefault: boolean;
}

/** Groups with a name that completes the choice: "oat" milk, "light" ice. */
const NEEDS_GROUP = new Set(["milk", "ice", "whip", "foam"]);

/** Returns the choices of an ordered line that differ from the defaults, with complete names. */
export function customChoices(choices: readonly OrderedChoice[]): Choice[] {
  return choices
    .filter(({ isDefault }) => !isDefault)
    .map(({ choiceName, modificationName, quantity, artKey }) => {
      const [key = ""] = artKey.split(":", 1);
      const group = lowerFirst(modificationName);
      const whole = NEEDS_GROUP.has(key) && !choiceName.toLowerCase().includes(group);
      const name = !whole ? choiceName : choiceName === "None" ? `No ${group}` : `${choiceName} ${group}`;
      if (quantity > 0) return { name, quantity };
      return { name: `No ${whole && choiceName === "Regular" ? group : lowerFirst(name)}`, quantity };
    });
}

/** Lower-cases the first letter, except for acronyms: "2%" and "IPA" stay as they are. */
function lowerFirst(text: string): string {
  const capitals = /^[A-Z]{2}/.test(text);
  return capitals ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
