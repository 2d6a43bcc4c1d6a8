/** A selection in the words of the bar: for the cart, for callouts and for being read out. */
import type { Choice, Group, Item } from "./queries";
import { isDefault, quantityOf, type Selection, sizeOf } from "./selection";

/** What a counted choice is counted in, by the first word of its drawing. */
const UNITS: Readonly<Record<string, string>> = {
  syrup: "pump",
  sauce: "pump",
  shots: "shot",
  "extra-shot": "shot",
};

/** Groups whose choices say nothing without them: "oat" is oat milk, "light" is light ice. */
const NEEDS_GROUP = new Set(["milk", "ice", "whip", "foam"]);

const keyOf = ({ artKey }: Choice): string => artKey.split(":", 1)[0] ?? "";

/** "pump", "shot", or nothing where choices are simply counted. */
export function unitOf(group: Group): string | undefined {
  const [first] = group.choices;
  return first && UNITS[keyOf(first)];
}

export const plural = (count: number, one: string): string => (count === 1 ? one : `${one}s`);

/** "Oat milk", "No ice", "Vanilla", "Extra hot": a choice as a line of the cart names it. */
export function nameOf(group: Group, choice: Choice): string {
  if (group.max > 1 || !NEEDS_GROUP.has(keyOf(choice))) return choice.name;
  const what = group.name.toLowerCase();
  if (choice.name === "Regular") return capitalised(what);
  return choice.name === "None" ? `No ${what}` : `${choice.name} ${what}`;
}

/** "2 pumps vanilla", "3 shots", "oat milk": what is taken of a choice, within a sentence. */
export function formatChoice(group: Group, choice: Choice, quantity: number): string {
  const name = nameOf(group, choice).toLowerCase();
  if (quantity === 0) return `no ${name}`;
  const unit = unitOf(group);
  if (unit) {
    const counted = `${quantity} ${plural(quantity, unit)}`;
    return name.includes(unit) ? counted : `${counted} ${name}`;
  }
  return quantity > 1 ? `${quantity} ${name}` : name;
}

/** What differs from the item as it comes, in the menu's order: what is left out, then what is taken. */
export function changesFromDefault(
  item: Item,
  selection: Selection,
): { group: Group; choice: Choice; quantity: number }[] {
  return item.modifications.flatMap((group) => {
    if (isDefault(selection, group)) return [];
    const entries = group.choices.map((choice) => ({
      group,
      choice,
      quantity: quantityOf(selection, group, choice),
    }));
    const taken = entries.filter(({ quantity }) => quantity > 0);
    // Where one stands for another, the other need not be named as missing.
    const replaced = group.max === 1 && taken.length > 0;
    const left = entries.filter(({ choice, quantity }) => quantity === 0 && choice.defaultQuantity > 0);
    return replaced ? taken : [...left, ...taken];
  });
}

/** The whole of it in one sentence: "Medium iced latte, oat milk, 3 pumps vanilla, no ice". */
export function spoken(item: Item, selection: Selection): string {
  const size = item.sizes.length > 1 ? sizeOf(item, selection)?.name : undefined;
  const what = size ? `${size} ${item.name.toLowerCase()}` : item.name;
  const changes = changesFromDefault(item, selection).map(({ group, choice, quantity }) =>
    formatChoice(group, choice, quantity),
  );
  return [what, ...changes].join(", ");
}

/** How a group may be chosen from: "Choose 1", "Up to 2", "2 of 6 pumps". */
export function formatGroupRule(group: Group, count: number): string {
  const unit = unitOf(group);
  if (group.max === 1) return group.min === 1 ? "Choose 1" : "Up to 1";
  const most = group.choices.reduce((sum, { maxQuantity }) => sum + maxQuantity, 0);
  if (unit) return `${count} of ${Math.min(group.max, most)} ${plural(group.max, unit)}`;
  return count > 0 ? `${count} of ${Math.min(group.max, most)}` : `Up to ${Math.min(group.max, most)}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
