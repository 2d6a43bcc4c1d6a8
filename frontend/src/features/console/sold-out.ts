/** What is sold out at a store: items, sizes and choices. */
import type { StoreMenu } from "./queries";

export interface SoldOutSwitch {
  subject: "item" | "size" | "choice";
  id: string;
  soldOut: boolean;
}

/** One switch of the sold-out page. */
export interface Switch {
  subject: SoldOutSwitch["subject"];
  /** Several if modifications with the same name have the same choice: oat milk of hot and of iced drinks. */
  ids: string[];
  soldOut: boolean;
  name: string;
  /** Smaller switches below: the sizes of an item. */
  parts: Switch[];
}

export interface SwitchGroup {
  name: string;
  switches: Switch[];
}

/** Returns the groups of switches: the items of each category, then the choices of each modification. */
export function groupSwitches({ sections, modifications }: StoreMenu): SwitchGroup[] {
  const items = sections.map(({ name, items }) => ({
    name,
    switches: items.map(({ itemId, name, soldOut, sizes }) => ({
      subject: "item" as const,
      ids: [itemId],
      name,
      soldOut,
      // The size of an item with a single size is the item.
      parts: sizes.length > 1 ? sizes.map((size) => makeSwitch("size", size)) : [],
    })),
  }));
  const choices = new Map<string, SwitchGroup>();
  for (const { name, choices: options } of modifications) {
    const group = choices.get(name) ?? { name: `${name} choices`, switches: [] };
    choices.set(name, group);
    for (const option of options) addChoice(group.switches, makeSwitch("choice", option));
  }
  return [...items, ...choices.values()];
}

/** Adds a choice, or joins it with the one that has its name. The joined one is available if one of them is. */
function addChoice(switches: Switch[], added: Switch): void {
  const same = switches.find(({ name }) => name === added.name);
  if (!same) {
    switches.push(added);
    return;
  }
  same.ids.push(...added.ids);
  same.soldOut &&= added.soldOut;
}

const makeSwitch = (
  subject: "size" | "choice",
  { id, name, soldOut }: StoreMenu["modifications"][number]["choices"][number],
): Switch => ({ subject, ids: [id], name, soldOut, parts: [] });

/** Returns the groups with a term in their name or in the names of their switches. */
export function filterSwitches(groups: readonly SwitchGroup[], term: string): SwitchGroup[] {
  const text = term.trim().toLowerCase();
  if (!text) return [...groups];
  return groups
    .map((group) =>
      group.name.toLowerCase().includes(text)
        ? group
        : { ...group, switches: group.switches.filter(({ name }) => name.toLowerCase().includes(text)) },
    )
    .filter(({ switches }) => switches.length > 0);
}

/** Returns the switches that are off, with their sizes. */
export function listSoldOut(groups: readonly SwitchGroup[]): { label: string; switched: Switch }[] {
  return groups.flatMap(({ switches }) =>
    switches.flatMap((one) => [
      ...(one.soldOut ? [{ label: one.name, switched: one }] : []),
      ...one.parts
        .filter(({ soldOut }) => soldOut)
        .map((part) => ({ label: `${one.name}, ${part.name}`, switched: part })),
    ]),
  );
}

/** Returns the menu after a switch. */
export function applySwitch(menu: StoreMenu, { subject, id, soldOut }: SoldOutSwitch): StoreMenu {
  const option = <Option extends { id: string }>(one: Option): Option =>
    one.id === id ? { ...one, soldOut } : one;
  if (subject === "choice") {
    const modifications = menu.modifications.map((group) => ({
      ...group,
      choices: group.choices.map(option),
    }));
    return { ...menu, modifications };
  }
  const sections = menu.sections.map((section) => ({
    ...section,
    items: section.items.map((item) => {
      if (subject === "item") return item.itemId === id ? { ...item, soldOut } : item;
      return { ...item, sizes: item.sizes.map(option) };
    }),
  }));
  return { ...menu, sections };
}
