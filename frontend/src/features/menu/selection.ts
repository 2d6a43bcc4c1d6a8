/** The selected size and choices of an item, and their limits. The server validates every cart by the same rules. */
import type { CartLine } from "@/state/cart";
import type { Choice, Group, ItemOptions, Size } from "./queries";

/** Quantities by choice id. A missing choice has quantity 0. */
export type Quantities = Readonly<Record<string, number>>;

export interface Selection {
  readonly sizeId: string;
  /** By group id. */
  readonly quantities: Readonly<Record<string, Quantities>>;
}

/** Returns the defaults of the item. Sold-out choices are left out and not replaced. */
export function createDefaultSelection(item: ItemOptions): Selection {
  return {
    sizeId: findDefaultSize(item)?.sizeId ?? "",
    quantities: Object.fromEntries(
      item.modifications.map((group) => [group.modificationId, getDefaultQuantities(group)]),
    ),
  };
}

/** Returns the selection of a cart line, without choices that are no longer available. */
export function createSelectionFromLine(
  item: ItemOptions,
  line: Pick<CartLine, "sizeId" | "choices">,
): Selection {
  const defaults = createDefaultSelection(item);
  const size = item.sizes.find(({ sizeId, soldOut }) => sizeId === line.sizeId && !soldOut);
  const quantities = item.modifications.map((group) => {
    const ordered = line.choices.filter(({ modificationId }) => modificationId === group.modificationId);
    if (ordered.length === 0) return [group.modificationId, defaults.quantities[group.modificationId] ?? {}];
    const counts = group.choices.flatMap((choice) => {
      const quantity = ordered.find(({ choiceId }) => choiceId === choice.choiceId)?.quantity ?? 0;
      return choice.soldOut || quantity === 0
        ? []
        : [[choice.choiceId, Math.min(quantity, choice.maxQuantity)]];
    });
    return [group.modificationId, Object.fromEntries(counts)];
  });
  return { sizeId: size?.sizeId ?? defaults.sizeId, quantities: Object.fromEntries(quantities) };
}

/** Returns the selected choices that are sold out by now, in menu order. */
export function findSoldOutChoices(
  item: ItemOptions,
  selection: Selection,
): { group: Group; choice: Choice }[] {
  return item.modifications.flatMap((group) =>
    group.choices
      .filter((choice) => choice.soldOut && getQuantity(selection, group, choice) > 0)
      .map((choice) => ({ group, choice })),
  );
}

/** Returns the selection without choices that are sold out by now; the same selection if there are none. */
export function removeSoldOutChoices(item: ItemOptions, selection: Selection): Selection {
  const soldOut = findSoldOutChoices(item, selection);
  if (soldOut.length === 0) return selection;
  const quantities = { ...selection.quantities };
  for (const { group, choice } of soldOut) {
    const { [choice.choiceId]: _, ...others } = quantities[group.modificationId] ?? {};
    quantities[group.modificationId] = others;
  }
  return { ...selection, quantities };
}

/** Returns whether the selected size is sold out by now, and another one is available. */
export function isOnlySizeSoldOut(item: ItemOptions, selection: Selection): boolean {
  return findSize(item, selection)?.soldOut === true && item.sizes.some(({ soldOut }) => !soldOut);
}

/** Returns the selection in another size, or the same selection if the item does not have the size or it is sold out. */
export function selectSize(item: ItemOptions, selection: Selection, sizeId: string | undefined): Selection {
  const size = item.sizes.find((candidate) => candidate.sizeId === sizeId);
  return size && !size.soldOut ? { ...selection, sizeId: size.sizeId } : selection;
}

export function findSize(item: ItemOptions, { sizeId }: Selection): Size | undefined {
  return item.sizes.find((size) => size.sizeId === sizeId);
}

export function getQuantities({ quantities }: Selection, group: Group): Quantities {
  return quantities[group.modificationId] ?? {};
}

export function getQuantity(selection: Selection, group: Group, choice: Choice): number {
  return getQuantities(selection, group)[choice.choiceId] ?? 0;
}

/** Returns the total quantity in a group, to which its limits apply. */
export function countSelected(selection: Selection, group: Group): number {
  return Object.values(getQuantities(selection, group)).reduce((sum, quantity) => sum + quantity, 0);
}

/** Returns whether a group takes exactly one choice, several choices, or a quantity of each choice. */
export function getSelectionMode(group: Group): "single" | "multiple" | "counted" {
  if (group.max === 1 && group.min === 1) return "single";
  return group.max === 1 || group.choices.every(({ maxQuantity }) => maxQuantity === 1)
    ? "multiple"
    : "counted";
}

/** Returns whether the quantity of a choice can be increased. In a group with a maximum of 1 it replaces the other choice. */
export function canAdd(selection: Selection, group: Group, choice: Choice): boolean {
  const quantity = getQuantity(selection, group, choice);
  if (choice.soldOut || quantity >= choice.maxQuantity) return false;
  return group.max === 1 || countSelected(selection, group) < group.max;
}

/** Returns whether the quantity of a choice can be decreased. */
export function canRemove(selection: Selection, group: Group, choice: Choice): boolean {
  return getQuantity(selection, group, choice) > 0 && countSelected(selection, group) > group.min;
}

/** Returns the selection with this quantity of a choice, or the same selection if a limit forbids it. */
export function setChoiceQuantity(
  selection: Selection,
  group: Group,
  choice: Choice,
  quantity: number,
): Selection {
  const current = getQuantity(selection, group, choice);
  if (quantity === current || quantity < 0 || quantity > choice.maxQuantity) return selection;
  if (quantity > current && choice.soldOut) return selection;
  const base = group.max === 1 && quantity > 0 ? {} : getQuantities(selection, group);
  const { [choice.choiceId]: _, ...others } = base;
  const next = quantity === 0 ? others : { ...others, [choice.choiceId]: quantity };
  const count = Object.values(next).reduce((sum, each) => sum + each, 0);
  if (count > group.max || (count < group.min && quantity < current)) return selection;
  return { ...selection, quantities: { ...selection.quantities, [group.modificationId]: next } };
}

/** Returns the first group below its minimum, for example because its default is sold out. */
export function findIncompleteGroup(item: ItemOptions, selection: Selection): Group | undefined {
  return item.modifications.find((group) => countSelected(selection, group) < group.min);
}

/** Returns whether a group has its default quantities. */
export function isDefaultGroup(selection: Selection, group: Group): boolean {
  return group.choices.every(
    (choice) => getQuantity(selection, group, choice) === (choice.defaultQuantity ?? 0),
  );
}

function findDefaultSize({ sizes }: Pick<ItemOptions, "sizes">): Size | undefined {
  const available = sizes.filter(({ soldOut }) => !soldOut);
  return available.find(({ isDefault }) => isDefault) ?? available[0] ?? sizes[0];
}

function getDefaultQuantities(group: Group): Quantities {
  return Object.fromEntries(
    group.choices
      .filter(({ defaultQuantity, soldOut }) => defaultQuantity > 0 && !soldOut)
      .map(({ choiceId, defaultQuantity }) => [choiceId, defaultQuantity]),
  );
}
