import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "@/api/errors";
import { modals } from "@/shell/modals";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";
import { addToCart } from "./add-to-cart";
import { toCartLine } from "./cart-line";
import { modificationsQuery, sizesQuery } from "./option-queries";
import type { MenuItem } from "./queries";
import { createDefaultSelection, findIncompleteGroup, findSize, selectSize } from "./selection";

/**
 * Adds an item of the menu to the cart with its default choices. Asks for the size if there are several, and opens the item if a
 * choice is required.
 */
export function useAddDefault(store: CartStore) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [adding, setAdding] = useState<string | null>(null);

  const loadOptions = async ({ itemId, name, art }: MenuItem) => {
    const [sizes, modifications] = await Promise.all([
      queryClient.fetchQuery(sizesQuery(store.storeId, itemId)),
      queryClient.fetchQuery(modificationsQuery(store.storeId, itemId)),
    ]);
    return { itemId, name, art, sizes, modifications };
  };
  const addSize = async (menuItem: MenuItem, sizeId: string | undefined) => {
    const item = await loadOptions(menuItem);
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
  };
  const add = async (menuItem: MenuItem) => {
    setAdding(menuItem.itemId);
    try {
      const { sizes } = await loadOptions(menuItem);
      if (sizes.length === 1) return await addSize(menuItem, sizes[0]?.sizeId);
      await modals.load("size", () => import("./SizeSheet"), {
        storeId: store.storeId,
        item: menuItem,
        onChoose: (sizeId: string) => {
          addSize(menuItem, sizeId).catch((error: unknown) => toast(errorMessage(error), "error"));
        },
      });
    } catch (error) {
      toast(errorMessage(error), "error");
    } finally {
      setAdding(null);
    }
  };
  return { add, adding };
}
