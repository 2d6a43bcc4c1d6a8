import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "@/api/errors";
import type { CartStore } from "@/state/cart";
import { toast } from "@/ui/toast";
import { addToCart } from "./add-to-cart";
import { toCartLine } from "./cart-line";
import { itemQuery, type MenuItem } from "./queries";
import { createDefaultSelection, findIncompleteGroup, findSize } from "./selection";

/** Adds the default item to the cart, or opens the item if a choice is required first. */
export function useAddDefault(store: CartStore) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [adding, setAdding] = useState<string | null>(null);
  const add = async ({ itemId }: MenuItem) => {
    setAdding(itemId);
    try {
      const item = await queryClient.ensureQueryData(itemQuery(store.storeId, itemId));
      const selection = createDefaultSelection(item);
      const line = toCartLine(item, selection, 1);
      const isSoldOut = item.soldOut || findSize(item, selection)?.soldOut;
      if (!line || isSoldOut || findIncompleteGroup(item, selection)) {
        await navigate({ to: "/store/$storeId/item/$itemId", params: { storeId: store.storeId, itemId } });
        return;
      }
      addToCart(store, line, () => toast(`${item.name} added to your cart`, "success"));
    } catch (error) {
      toast(errorMessage(error), "error");
    } finally {
      setAdding(null);
    }
  };
  return { add, adding };
}
