import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "@/shell/session";
import { cartItem } from "@/state/cart";

/** Changes within this period are saved together. */
const SAVE_DELAY_MS = 1_500;

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
        if (cartItem.get().items.length === 0) return;
        // Errors are ignored, because orders use the cart on the device.
        import("./save-cart").then(({ saveCart }) => saveCart(queryClient)).catch(() => undefined);
      }, SAVE_DELAY_MS);
    };
    const unsubscribe = cartItem.subscribe(scheduleSave);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [isSignedIn, queryClient]);
}
