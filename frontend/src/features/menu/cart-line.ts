import type { CartLine } from "@/state/cart";
import { changesFromDefault, nameOf } from "./format";
import { unitPrice } from "./pricing";
import type { Item } from "./queries";
import { type Selection, sizeOf } from "./selection";

/**
 * A selection as a line of the cart. Only groups that differ from the item as it comes are named: the server makes a
 * group that a line does not name as the menu has it, and takes one that it names exactly as named.
 */
export function toCartLine(
  item: Item,
  selection: Selection,
  quantity: number,
  note = "",
): Omit<CartLine, "lineId"> {
  return {
    itemId: item.itemId,
    sizeId: selection.sizeId,
    sizeIndex: sizeIndexOf(item, selection),
    quantity,
    choices: changedChoices(item, selection),
    note,
    name: item.name,
    sizeName: item.sizes.length > 1 ? (sizeOf(item, selection)?.name ?? "") : "",
    unitPrice: unitPrice(item, selection).currencyAmount,
    art: item.art,
  };
}

/** What differs, for the cart and for the drawing. Quantity 0 leaves out what the item comes with. */
export function changedChoices(item: Item, selection: Selection): CartLine["choices"] {
  return changesFromDefault(item, selection).map(({ group, choice, quantity }) => ({
    modificationId: group.modificationId,
    choiceId: choice.choiceId,
    quantity,
    name: quantity === 0 ? `No ${nameOf(group, choice).toLowerCase()}` : nameOf(group, choice),
    artKey: choice.artKey,
  }));
}

export function sizeIndexOf({ sizes }: Item, { sizeId }: Selection): number {
  return Math.max(
    0,
    sizes.findIndex((size) => size.sizeId === sizeId),
  );
}
