import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { cartKeys } from "@/shell/queries";
import { useSession } from "@/shell/session";
import { cartItem, toContractCart } from "@/state/cart";

/** Changes within this period are saved together. */
const SAVE_DELAY_MS = 1_500;

/** Deletes the cart saved on the server. Ignores errors: then home offers the cart once more. */
export const clearSavedCart = (cart: PostBody<"/user/save-cart">["cart"]): Promise<unknown> =>
  write("/user/save-cart", { cart: { ...cart, items: [] } }).catch(() => undefined);

/**
 * Saves the cart on the server while the consumer is signed in, so that another device, or home after the generic
 * handler has cleared the cart, can restore it. An empty cart is not saved.
 */
export function useSaveCart(): void {
  const isSignedIn = Boolean(useSession());
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleSave = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const cart = cartItem.get();
        if (cart.items.length === 0) return;
        // Errors are ignored, because orders use the cart on the device.
        write("/user/save-cart", { cart: toContractCart(cart) }).then(
          (saved) => queryClient.setQueryData(cartKeys.saved, saved),
          () => undefined,
        );
      }, SAVE_DELAY_MS);
    };
    const unsubscribe = cartItem.subscribe(scheduleSave);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [isSignedIn, queryClient]);
}
