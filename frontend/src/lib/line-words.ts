/** A line of a cart or an order in the words of the bar: "Medium, oat milk, 2 vanilla". */

interface Choice {
  /** As a list names it: "Oat milk", "Vanilla", "No ice". */
  name: string;
  quantity: number;
}

/** What makes a line what it is: its size, what was changed, and the note to the bar. */
export function lineWords(sizeName: string, choices: readonly Choice[], note = ""): string {
  const changes = choices.map(({ name, quantity }) => {
    const lower = lowered(name);
    return quantity > 1 ? `${quantity} ${lower}` : lower;
  });
  const words = [sizeName, ...changes].filter(Boolean).join(", ");
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  if (!note) return sentence;
  return sentence ? `${sentence}. “${note}”` : `“${note}”`;
}

interface OrderedChoice {
  choiceName: string;
  modificationName: string;
  quantity: number;
  artKey: string;
  /** Chosen without being asked. */
  isDefault: boolean;
}

/** Groups whose choices say nothing without them: "oat" is oat milk, "light" is light ice. */
const NEEDS_GROUP = new Set(["milk", "ice", "whip", "foam"]);

/** The choices of an ordered line that somebody asked for, each with a name that stands alone. */
export function askedChoices(choices: readonly OrderedChoice[]): Choice[] {
  return choices
    .filter(({ isDefault }) => !isDefault)
    .map(({ choiceName, modificationName, quantity, artKey }) => {
      const [key = ""] = artKey.split(":", 1);
      const group = lowered(modificationName);
      const whole = NEEDS_GROUP.has(key) && !choiceName.toLowerCase().includes(group);
      const name = !whole ? choiceName : choiceName === "None" ? `No ${group}` : `${choiceName} ${group}`;
      return { name: quantity === 0 ? `No ${lowered(name)}` : name, quantity };
    });
}

/** Lower-cased at its start only: "2%" and "IPA" stay as they are. */
function lowered(text: string): string {
  const capitals = /^[A-Z]{2}/.test(text);
  return capitals ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
