/**
 * What a selection costs and what is in it, for showing while a person chooses: the cart is priced by the server.
 * The rules are the same: a choice's price follows the size, and the cheapest ones are those that are included.
 */
import type { Money } from "@/lib/money";
import type { Choice, Group, Item } from "./queries";
import { quantityOf, type Selection, sizeOf, type Taken, takenOf } from "./selection";

/** What one of a choice costs in this size, in minor units. */
export function priceAt(choice: Choice, sizeId: string): number {
  return choice.prices.find((price) => price.sizeId === sizeId)?.price.currencyAmount ?? 0;
}

/** What one costs with everything that is chosen. */
export function unitPrice(item: Item, selection: Selection): Money {
  const size = sizeOf(item, selection);
  if (!size) return { currencyAmount: 0, currencyFraction: 100, currency: "usd" };
  const extras = item.modifications.map((group) => priceOf(group, takenOf(selection, group), size.sizeId));
  return {
    ...size.price,
    currencyAmount: extras.reduce((sum, extra) => sum + extra, size.price.currencyAmount),
  };
}

/** What a choice adds to the price: the one that is taken, or the next one of it. In minor units, never below 0. */
export function costOf(selection: Selection, group: Group, choice: Choice): number {
  const { sizeId } = selection;
  const quantity = quantityOf(selection, group, choice);
  const price = (taken: Taken) => priceOf(group, taken, sizeId);
  if (group.max === 1) return price({ [choice.choiceId]: 1 });
  const now = takenOf(selection, group);
  if (choice.maxQuantity === 1 && quantity === 1) {
    return price(now) - price({ ...now, [choice.choiceId]: 0 });
  }
  return price({ ...now, [choice.choiceId]: quantity + 1 }) - price(now);
}

/** Calories of what is chosen: the size's own are those of the item as it comes. */
export function caloriesOf(item: Item, selection: Selection): number {
  const start = sizeOf(item, selection)?.calories ?? 0;
  const changes = item.modifications.flatMap((group) =>
    group.choices.map((choice) => {
      const more = quantityOf(selection, group, choice) - choice.defaultQuantity;
      const own =
        choice.prices.find(({ sizeId }) => sizeId === selection.sizeId)?.calories ?? choice.calories;
      return more * own;
    }),
  );
  return Math.max(
    0,
    changes.reduce((sum, change) => sum + change, start),
  );
}

/** Allergens of the item itself and of everything that is chosen, in alphabetical order. */
export function allergensOf(item: Item, selection: Selection): string[] {
  const chosen = item.modifications.flatMap((group) =>
    group.choices.filter((choice) => quantityOf(selection, group, choice) > 0),
  );
  return [...new Set([...item.allergens, ...chosen.flatMap(({ allergens }) => allergens)])].sort();
}

/**
 * Milligrams of caffeine, or null where nobody knows: the menu has it for the item as it comes, and shots or another
 * roast change it.
 */
export function caffeineOf(item: Item, selection: Selection): number | null {
  const size = sizeOf(item, selection);
  if (!size || size.caffeineMg === 0) return null;
  const strength = item.modifications.filter(({ name }) => /espresso|shot|roast/i.test(name));
  const changed = strength.some((group) =>
    group.choices.some((choice) => quantityOf(selection, group, choice) !== choice.defaultQuantity),
  );
  return changed ? null : size.caffeineMg;
}

function priceOf(group: Group, taken: Taken, sizeId: string): number {
  const each = group.choices
    .flatMap((choice) => Array.from({ length: taken[choice.choiceId] ?? 0 }, () => priceAt(choice, sizeId)))
    .sort((a, b) => a - b);
  return each.slice(group.included).reduce((sum, price) => sum + price, 0);
}
