/** What a person chooses of an item, and the limits of choosing. The server holds every cart to the same rules. */
import type { CartLine } from "@/state/cart";
import type { Choice, Group, Item, Size } from "./queries";

/** How many of each choice of a group are taken; a choice that is not named is not. */
export type Taken = Readonly<Record<string, number>>;

export interface Selection {
  readonly sizeId: string;
  /** By group. */
  readonly taken: Readonly<Record<string, Taken>>;
}

/** The item as it comes. What is sold out is never taken, and nothing is put in its place without being asked for. */
export function defaultSelection(item: Item): Selection {
  return {
    sizeId: sizeToStart(item)?.sizeId ?? "",
    taken: Object.fromEntries(item.modifications.map((group) => [group.modificationId, defaultsOf(group)])),
  };
}

/** What an existing line of the cart has, as far as the menu still offers it. */
export function selectionFromLine(item: Item, line: Pick<CartLine, "sizeId" | "choices">): Selection {
  const start = defaultSelection(item);
  const size = item.sizes.find(({ sizeId, soldOut }) => sizeId === line.sizeId && !soldOut);
  const taken = item.modifications.map((group) => {
    const named = line.choices.filter(({ modificationId }) => modificationId === group.modificationId);
    if (named.length === 0) return [group.modificationId, start.taken[group.modificationId] ?? {}];
    const counts = group.choices.flatMap((choice) => {
      const quantity = named.find(({ choiceId }) => choiceId === choice.choiceId)?.quantity ?? 0;
      return choice.soldOut || quantity === 0
        ? []
        : [[choice.choiceId, Math.min(quantity, choice.maxQuantity)]];
    });
    return [group.modificationId, Object.fromEntries(counts)];
  });
  return { sizeId: size?.sizeId ?? start.sizeId, taken: Object.fromEntries(taken) };
}

export function sizeOf(item: Item, { sizeId }: Selection): Size | undefined {
  return item.sizes.find((size) => size.sizeId === sizeId);
}

export function takenOf({ taken }: Selection, group: Group): Taken {
  return taken[group.modificationId] ?? {};
}

export function quantityOf(selection: Selection, group: Group, choice: Choice): number {
  return takenOf(selection, group)[choice.choiceId] ?? 0;
}

/** How many of a group are taken together: what its limits count. */
export function countIn(selection: Selection, group: Group): number {
  return Object.values(takenOf(selection, group)).reduce((sum, quantity) => sum + quantity, 0);
}

/** How a group is chosen from: exactly one, some of several, or so many of each. */
export function kindOf(group: Group): "one" | "some" | "counted" {
  if (group.max === 1 && group.min === 1) return "one";
  return group.max === 1 || group.choices.every(({ maxQuantity }) => maxQuantity === 1) ? "some" : "counted";
}

/** Whether one more of a choice may be taken. Where only one may be, taking it gives up the other. */
export function canAdd(selection: Selection, group: Group, choice: Choice): boolean {
  const quantity = quantityOf(selection, group, choice);
  if (choice.soldOut || quantity >= choice.maxQuantity) return false;
  return group.max === 1 || countIn(selection, group) < group.max;
}

/** Whether one of a choice may be left out. */
export function canRemove(selection: Selection, group: Group, choice: Choice): boolean {
  return quantityOf(selection, group, choice) > 0 && countIn(selection, group) > group.min;
}

/** Takes so many of a choice, or leaves everything as it is where a limit forbids it. */
export function take(selection: Selection, group: Group, choice: Choice, quantity: number): Selection {
  const now = quantityOf(selection, group, choice);
  if (quantity === now || quantity < 0 || quantity > choice.maxQuantity) return selection;
  if (quantity > now && choice.soldOut) return selection;
  const base = group.max === 1 && quantity > 0 ? {} : takenOf(selection, group);
  const { [choice.choiceId]: _, ...others } = base;
  const next = quantity === 0 ? others : { ...others, [choice.choiceId]: quantity };
  const count = Object.values(next).reduce((sum, each) => sum + each, 0);
  if (count > group.max || (count < group.min && quantity < now)) return selection;
  return { ...selection, taken: { ...selection.taken, [group.modificationId]: next } };
}

/** The first group that still needs a choice, as when what the item comes with is sold out. */
export function firstIncompleteGroup(item: Item, selection: Selection): Group | undefined {
  return item.modifications.find((group) => countIn(selection, group) < group.min);
}

/** Whether a group is as the item comes. */
export function isDefault(selection: Selection, group: Group): boolean {
  return group.choices.every(
    (choice) => quantityOf(selection, group, choice) === (choice.defaultQuantity ?? 0),
  );
}

function sizeToStart({ sizes }: Item): Size | undefined {
  const there = sizes.filter(({ soldOut }) => !soldOut);
  return there.find(({ isDefault }) => isDefault) ?? there[0] ?? sizes[0];
}

function defaultsOf(group: Group): Taken {
  return Object.fromEntries(
    group.choices
      .filter(({ defaultQuantity, soldOut }) => defaultQuantity > 0 && !soldOut)
      .map(({ choiceId, defaultQuantity }) => [choiceId, defaultQuantity]),
  );
}
