import { useState } from "react";
import type { Cart } from "@/state/cart";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";

/** Returns the id of the order if another tab placed this cart and cleared it. */
export function useOrderedElsewhere(cart: Cart): string | undefined {
  const [cartId, setCartId] = useState(cart.cartId);
  if (cart.cartId !== "" && cart.cartId !== cartId) setCartId(cart.cartId);
  const lastOrder = useItem(device.lastOrder);
  const isOrdered = cart.items.length === 0 && cartId !== "" && lastOrder?.cartId === cartId;
  return isOrdered ? lastOrder.orderId : undefined;
}
