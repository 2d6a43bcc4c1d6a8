import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import type { GetData, PostData } from "@/api/contract";
import type { Cart } from "@/state/cart";
import { toContractCart } from "@/state/contract-cart";

export type Quote = PostData<"/order/pricing">;
export type CartOptions = GetData<"/store/cart-options">;

export const checkoutKeys = {
  quotes: ["quote"] as const,
  quote: (cart: Cart) => ["quote", toContractCart(cart)] as const,
  cartOptions: ["cart-options"] as const,
  storeCartOptions: (storeId: string, makeSeconds: number | undefined) =>
    ["cart-options", storeId, makeSeconds] as const,
};

/** Total and promised time of the cart. The previous quote stays visible while the next one loads. */
export const quoteQuery = (cart: Cart) =>
  queryOptions({
    queryKey: checkoutKeys.quote(cart),
    queryFn: ({ signal }) => write("/order/pricing", { cart: toContractCart(cart) }, { signal }),
    enabled: cart.items.length > 0,
    placeholderData: keepPreviousData,
    // The promised time changes with the clock and with other orders.
    staleTime: 15_000,
    refetchInterval: 30_000,
  });

/** Pickup times, suggested tips and payment types of an order with this make time. */
export const cartOptionsQuery = (storeId: string, makeSeconds: number | undefined) =>
  queryOptions({
    queryKey: checkoutKeys.storeCartOptions(storeId, makeSeconds),
    queryFn: ({ signal }) =>
      read("/store/cart-options", { storeId, ...(makeSeconds ? { makeSeconds } : {}) }, { signal }),
    enabled: storeId !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // Times pass and fill up while checkout is open.
    refetchInterval: 30_000,
  });
