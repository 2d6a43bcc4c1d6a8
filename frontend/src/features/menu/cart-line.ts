import type { CartLine } from "@/state/cart";
import { formatChoiceName, listChangesFromDefault } from "./format";
import { calculateUnitPrice } from "./pricing";
import type { ItemOptions } from "./queries";
import { findSize, type Selection } from "./selection";

/**
 * Converts a selection to a cart line. A line lists only groups that differ from the defaults: the server applies the
 * defaults to missing groups, and takes listed groups literally. Returns undefined if the selection has no price.
 */
export function toCartLine(
  item: ItemOptions,
  selection: Selection,
  quantity: number,
  note = "",
): Omit<CartLine, "lineId"> | undefined {
  const unitPrice = calculateUnitPrice(item, selection);
  return (
    unitPrice && {
      itemId: item.itemId,
      sizeId: selection.sizeId,
      sizeIndex: findSizeIndex(item, selection),
      quantity,
      choices: listChangedChoices(item, selection),
      note,
      name: item.name,
      sizeName: item.sizes.length > 1 ? (findSize(item, selection)?.name ?? "") : "",
      unitPrice: unitPrice.currencyAmount,
      art: item.art,
    }
  );
}

/** Returns the differences from the defaults. Quantity 0 removes a default. */
export function listChangedChoices(item: ItemOptions, selection: Selection): CartLine["choices"] {
  return listChangesFromDefault(item, selection).map(({ group, choice, quantity }) => ({
    modificationId: group.modificationId,
    choiceId: choice.choiceId,
    quantity,
    name:
      quantity === 0
        ? `No ${formatChoiceName(group, choice).toLowerCase()}`
        : formatChoiceName(group, choice),
    artKey: choice.artKey,
  }));
}

export function findSizeIndex({ sizes }: Pick<ItemOptions, "sizes">, { sizeId }: Selection): number {
  return Math.max(
    0,
    sizes.findIndex((size) => size.sizeId === sizeId),
  );
}
