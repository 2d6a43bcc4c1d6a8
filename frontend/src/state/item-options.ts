import type { CartLine } from "./cart";
import { personalItem } from "./personal-item";

type ChosenOption = CartLine["choices"][number];

/**
 * How the consumer customizes the open item (specification section 3, "Other client state"). Kept while they look something up,
 * until the item is in the cart.
 */
export interface StoreItemOptions {
  /** The item, and the cart line or usual item that it started with. */
  key: string;
  sizeId: string;
  quantity: number;
  /** The chosen options that differ from the defaults of the item. */
  all: readonly ChosenOption[];
  note: string;
}

export const storeItemOptions = personalItem<StoreItemOptions>({
  key: "",
  sizeId: "",
  quantity: 1,
  all: [],
  note: "",
});

/** The defaults of that item that the consumer left out. */
export const removedOptions = personalItem<readonly ChosenOption[]>([]);
