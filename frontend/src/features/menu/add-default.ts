import type { QueryClient } from "@tanstack/react-query";
import type { useNavigate } from "@tanstack/react-router";
import { errorMessage } from "@/api/errors";
import { modals } from "@/shell/modals";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";
import { addToCart } from "./add-to-cart";
import { toCartLine } from "./cart-line";
import { modificationsQuery, sizesQuery } from "./option-queries";
import type { ItemOptions, MenuItem } from "./queries";
import { createDefaultSelection, findIncompleteGroup, findSize, selectSize } from "./selection";

interface MenuContext {
  queryClient: QueryClient;
  navigate: ReturnType<typeof useNavigate>;
  store: CartStore;
}

/**
 * Adds an item of the menu to the cart with its default choices. Asks for the size if there are several, and opens the item if a
 * choice is required.
 */
export async function addDefault(context: MenuContext, item: MenuItem): Promise<void> {
  const { sizes } = await loadOptions(context, item);
  if (sizes.length === 1) return addSize(context, item, sizes[0]?.sizeId);
  await modals.load("size", () => import("./SizeSheet"), {
    storeId: context.store.storeId,
    item,
    onChoose: (sizeId: string) => {
      addSize(context, item, sizeId).catch((error: unknown) => toast(errorMessage(error), "error"));
    },
  });
}

async function loadOptions({ queryClient, store }: MenuContext, item: MenuItem): Promise<ItemOptions> {
  const { itemId, name, art } = item;
  const [sizes, modifications] = await Promise.all([
    queryClient.fetchQuery(sizesQuery(store.storeId, itemId)),
    queryClient.fetchQuery(modificationsQuery(store.storeId, itemId)),
  ]);
  return { itemId, name, art, sizes, modifications };
}

async function addSize(context: MenuContext, menuItem: MenuItem, sizeId: string | undefined): Promise<void> {
  const { navigate, store } = context;
  const item = await loadOptions(context, menuItem);
  const selection = selectSize(item, createDefaultSelection(item), sizeId);
  const line = toCartLine(item, selection, 1);
  if (!line || findSize(item, selection)?.soldOut || findIncompleteGroup(item, selection)) {
    await navigate({
      to: "/store/$storeId/item/$itemId",
      params: { storeId: store.storeId, itemId: item.itemId },
      search: { size: sizeId },
    });
    return;
  }
  addToCart(store, line, () => toast(`${item.name} added to your cart`, "success"));
}
