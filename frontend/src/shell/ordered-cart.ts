import type { QueryClient } from "@tanstack/react-query";
import { clearSavedCart } from "@/features/cart/save-cart";
import { endAttempt } from "@/features/checkout/attempt";
import type { Order } from "@/features/orders/queries";
import { cartItem } from "@/state/cart";
import { toContractCart } from "@/state/contract-cart";
import { device } from "@/state/device";
import { removeOrderedLines, storeLastOrder } from "@/state/ordered-cart";
import { cartKeys, offerKeys, orderKeys, paymentMethodKeys, walletKeys } from "./queries";

/**
 * Clears the cart of this device when an order in the query cache shows that it was ordered: after the bank's authentication in another
 * app or a lost response, checkout has not received its outcome. Returns a function that ends it.
 */
export function followOrderedCart(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache();
  const check = (data: unknown) => finishOrderedCart(queryClient, listOrders(data));
  for (const { state } of cache.findAll({ queryKey: orderKeys.all })) check(state.data);
  return cache.subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    if (event.query.queryKey[0] === orderKeys.all[0]) check(event.query.state.data);
  });
}

/** Returns the orders in the data of any query of orders: one order, a list of them, or pages. */
function listOrders(data: unknown): Order[] {
  if (Array.isArray(data)) return data.flatMap(listOrders);
  if (typeof data !== "object" || data === null) return [];
  if ("cartId" in data) return [data as Order];
  return [...listOrders("orders" in data && data.orders), ...listOrders("pages" in data && data.pages)];
}

/** A cart with an order in another state can be ordered, or its payment is still in progress. */
const ORDERED: ReadonlySet<Order["status"]> = new Set([
  "Scheduled",
  "Placed",
  "Accepted",
  "Preparing",
  "Ready",
  "Completed",
]);

function finishOrderedCart(queryClient: QueryClient, orders: readonly Order[]): void {
  const cart = cartItem.get();
  // Checkout clears the cart of the order that it placed after it has opened the order.
  if (cart.items.length === 0 || device.lastOrder.get()?.cartId === cart.cartId) return;
  const order = orders.find(({ cartId, status }) => cartId === cart.cartId && ORDERED.has(status));
  if (!order) return;
  endAttempt();
  storeLastOrder(order, cart.cartId);
  for (const queryKey of [paymentMethodKeys.all, walletKeys.all, offerKeys.all]) {
    void queryClient.invalidateQueries({ queryKey });
  }
  if (!removeOrderedLines(order.lines)) return;
  void clearSavedCart(toContractCart(cart)).then(() =>
    queryClient.invalidateQueries({ queryKey: cartKeys.saved }),
  );
}
