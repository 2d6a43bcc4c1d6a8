import type { QueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { cartKeys } from "@/shell/queries";
import { cartItem } from "@/state/cart";
import { toContractCart } from "@/state/contract-cart";

/** Saves the cart of this device on the server, unless it is empty. */
export async function saveCart(queryClient: QueryClient): Promise<void> {
  const cart = cartItem.get();
  if (cart.items.length === 0) return;
  const saved = await write("/user/save-cart", { cart: toContractCart(cart) });
  queryClient.setQueryData(cartKeys.saved, saved);
}

/** Deletes the saved cart if it is still this one. Ignores errors: then home offers the cart once more. */
export const clearSavedCart = (cart: PostBody<"/user/save-cart">["cart"]): Promise<unknown> =>
  write("/user/save-cart", { cart: { ...cart, items: [] } }).catch(() => undefined);
