import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { write } from "@/api/client";
import { useSession } from "@/shell/session";
import { type Cart, cartItem, contractCart } from "@/state/cart";

/** Long enough that a person who counts up writes once. */
const QUIET_MS = 1_500;

/** Takes the server's copy away: what was ordered is not offered again. */
export const clearSavedCart = (cart: Cart): Promise<unknown> =>
  // A copy that stays is only offered once more than it should.
  write("/user/save-cart", { cart: { ...contractCart(cart), lines: [] } }).catch(() => undefined);

/**
 * Keeps a copy of the cart on the server while somebody is signed in, so that another device, or home after the
 * generic handler has emptied this one's, can bring it back. An emptied cart is never written over the copy.
 */
export function useSaveCart(): void {
  const signedIn = Boolean(useSession());
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!signedIn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const cart = cartItem.get();
        if (cart.items.length === 0) return;
        // A copy for convenience: whoever orders prices and places what the device has.
        write("/user/save-cart", { cart: contractCart(cart) }).then(
          (saved) => queryClient.setQueryData(["user-cart"], saved),
          () => undefined,
        );
      }, QUIET_MS);
    };
    const stop = cartItem.subscribe(keep);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [signedIn, queryClient]);
}
