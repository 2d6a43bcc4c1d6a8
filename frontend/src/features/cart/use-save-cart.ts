import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useSession } from "@/shell/session";
import { cartItem } from "@/state/cart";

/** Changes within this period are saved together. */
const SAVE_DELAY_MS = 1_500;

/**
 * Saves the cart on the server at the sign-in and while the consumer is signed in, so that another device, or home after the
 * generic handler has cleared the cart, can restore it. An empty cart is not saved.
 */
export function useSaveCart(): void {
  const session = useSession();
  // Null if signed out, undefined while unknown.
  const isSignedIn = session && true;
  const wasSignedOut = useRef(false);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isSignedIn === null) wasSignedOut.current = true;
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
    if (wasSignedOut.current) scheduleSave();
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [isSignedIn, queryClient]);
}
