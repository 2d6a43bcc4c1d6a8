/**
 * Price and nutrition of a selection, for display while customizing; the server prices the cart by the same rules. The
 * price of a choice depends on the size, and the cheapest choices are the included ones.
 */
import type { Money } from "@/lib/money";
import type { Choice, Group, Item, ItemOptions } from "./queries";
import {
  createDefaultSelection,
  findSize,
  getQuantities,
  getQuantity,
  isDefaultGroup,
  type Quantities,
  type Selection,
} from "./selection";

/** Returns the price of a choice in this size, in minor units. A choice that the menu lists without a price is free. */
export function getChoicePrice(choice: Choice, sizeId: string): number {
  return choice.prices.find((price) => price.sizeId === sizeId)?.price.currencyAmount ?? 0;
}

/** Returns the price of one item with the selected choices; undefined if no size is selected, because sizes have the price. */
export function calculateUnitPrice(item: ItemOptions, selection: Selection): Money | undefined {
  const size = findSize(item, selection);
  if (!size) return undefined;
  const extras = item.modifications.map((group) =>
    calculateGroupPrice(group, getQuantities(selection, group), size.sizeId),
  );
  return {
    ...size.price,
    currencyAmount: extras.reduce((sum, extra) => sum + extra, size.price.currencyAmount),
  };
}

/** Returns the available size that is the cheapest with its default choices; undefined if none is available. */
export function findCheapestSize(item: ItemOptions): string | undefined {
  const defaults = createDefaultSelection(item);
  const [cheapest] = item.sizes
    .filter(({ soldOut }) => !soldOut)
    .map(({ sizeId }) => ({ sizeId, price: calculateUnitPrice(item, { ...defaults, sizeId }) }))
    .sort((a, b) => (a.price?.currencyAmount ?? 0) - (b.price?.currencyAmount ?? 0));
  return cheapest?.sizeId;
}

/** Returns what a selected choice, or one more of it, adds to the price. In minor units, at least 0. */
export function calculateAddedCost(selection: Selection, group: Group, choice: Choice): number {
  const { sizeId } = selection;
  const quantity = getQuantity(selection, group, choice);
  const price = (quantities: Quantities) => calculateGroupPrice(group, quantities, sizeId);
  if (group.max === 1) return price({ [choice.choiceId]: 1 });
  const current = getQuantities(selection, group);
  if (choice.maxQuantity === 1 && quantity === 1) {
    return price(current) - price({ ...current, [choice.choiceId]: 0 });
  }
  return price({ ...current, [choice.choiceId]: quantity + 1 }) - price(current);
}

/** Returns the calories. Those of the size are for the default item; changed choices add or subtract. */
export function calculateCalories(item: ItemOptions, selection: Selection): number {
  const base = findSize(item, selection)?.calories ?? 0;
  const changes = item.modifications.flatMap((group) =>
    group.choices.map((choice) => {
      const difference = getQuantity(selection, group, choice) - choice.defaultQuantity;
      const calories =
        choice.prices.find(({ sizeId }) => sizeId === selection.sizeId)?.calories ?? choice.calories;
      return difference * calories;
    }),
  );
  return Math.max(
    0,
    changes.reduce((sum, change) => sum + change, base),
  );
}

/** Returns the allergens of the item and of the selected choices, in alphabetical order. */
export function listAllergens(item: Item, selection: Selection): string[] {
  const selected = item.modifications.flatMap((group) =>
    group.choices.filter((choice) => getQuantity(selection, group, choice) > 0),
  );
  return [...new Set([...item.allergens, ...selected.flatMap(({ allergens }) => allergens)])].sort();
}

/** Returns the caffeine in mg, or null if unknown: the menu has it only for the default choices. */
export function getCaffeine(item: ItemOptions, selection: Selection): number | null {
  const size = findSize(item, selection);
  const isDefault = item.modifications.every((group) => isDefaultGroup(selection, group));
  return size && isDefault && size.caffeineMg > 0 ? size.caffeineMg : null;
}

function calculateGroupPrice(group: Group, quantities: Quantities, sizeId: string): number {
  const each = group.choices
    .flatMap((choice) =>
      Array.from({ length: quantities[choice.choiceId] ?? 0 }, () => getChoicePrice(choice, sizeId)),
    )
    .sort((a, b) => a - b);
  return each.slice(group.included).reduce((sum, price) => sum + price, 0);
}
