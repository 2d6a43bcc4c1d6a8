/** Formats a selection for the cart, the callouts and screen readers. */
import type { Choice, Group, ItemOptions } from "./queries";
import { findSize, getQuantity, isDefaultGroup, type Selection } from "./selection";

/** Units of counted choices, by the key of their `artKey`. */
const UNITS: Readonly<Record<string, string>> = {
  syrup: "pump",
  sauce: "pump",
  shots: "shot",
  "extra-shot": "shot",
};

/** Groups with a name that completes the choice: "oat" milk, "light" ice. */
const NEEDS_GROUP = new Set(["milk", "ice", "whip", "foam"]);

const getArtKey = ({ artKey }: Choice): string => artKey.split(":", 1)[0] ?? "";

/** Returns "pump", "shot", or undefined for choices without a unit. */
export function getUnit(group: Group): string | undefined {
  const [first] = group.choices;
  return first && UNITS[getArtKey(first)];
}

export const pluralize = (count: number, one: string): string => (count === 1 ? one : `${one}s`);

/** Returns the complete name of a choice: "Oat milk", "No ice", "Vanilla". */
export function formatChoiceName(group: Group, choice: Choice): string {
  if (group.max > 1 || !NEEDS_GROUP.has(getArtKey(choice))) return choice.name;
  const groupName = group.name.toLowerCase();
  if (choice.name === "Regular") return capitalize(groupName);
  return choice.name === "None" ? `No ${groupName}` : `${choice.name} ${groupName}`;
}

/** Formats a choice with its quantity: "2 pumps vanilla", "3 shots", "oat milk", "no ice". */
export function formatChoice(group: Group, choice: Choice, quantity: number): string {
  const name = formatChoiceName(group, choice).toLowerCase();
  if (quantity === 0) return `no ${name}`;
  const unit = getUnit(group);
  if (unit) {
    const counted = `${quantity} ${pluralize(quantity, unit)}`;
    return name.includes(unit) ? counted : `${counted} ${name}`;
  }
  return quantity > 1 ? `${quantity} ${name}` : name;
}

/** Returns the differences from the defaults in menu order: removed defaults first, then selected choices. */
export function listChangesFromDefault(
  item: ItemOptions,
  selection: Selection,
): { group: Group; choice: Choice; quantity: number }[] {
  return item.modifications.flatMap((group) => {
    if (isDefaultGroup(selection, group)) return [];
    const entries = group.choices.map((choice) => ({
      group,
      choice,
      quantity: getQuantity(selection, group, choice),
    }));
    const selected = entries.filter(({ quantity }) => quantity > 0);
    // In a group with a maximum of 1, the selected choice implies that the default is removed.
    const replaced = group.max === 1 && selected.length > 0;
    const removed = entries.filter(({ choice, quantity }) => quantity === 0 && choice.defaultQuantity > 0);
    return replaced ? selected : [...removed, ...selected];
  });
}

/** Describes the whole item: "Medium iced latte, oat milk, 3 pumps vanilla, no ice". */
export function describeSelection(item: ItemOptions, selection: Selection): string {
  const size = item.sizes.length > 1 ? findSize(item, selection)?.name : undefined;
  const name = size ? `${size} ${item.name.toLowerCase()}` : item.name;
  const changes = listChangesFromDefault(item, selection).map(({ group, choice, quantity }) =>
    formatChoice(group, choice, quantity),
  );
  return [name, ...changes].join(", ");
}

/** Formats the limit of a group: "Choose 1", "Up to 2", "2 of 6 pumps". */
export function formatGroupRule(group: Group, count: number): string {
  const unit = getUnit(group);
  if (group.max === 1) return group.min === 1 ? "Choose 1" : "Up to 1";
  const total = group.choices.reduce((sum, { maxQuantity }) => sum + maxQuantity, 0);
  if (unit) return `${count} of ${Math.min(group.max, total)} ${pluralize(group.max, unit)}`;
  return count > 0 ? `${count} of ${Math.min(group.max, total)}` : `Up to ${Math.min(group.max, total)}`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
