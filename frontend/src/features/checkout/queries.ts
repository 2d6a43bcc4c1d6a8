import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import type { PostData } from "@/api/contract";
import { type Cart, contractCart } from "@/state/cart";

export type Quote = PostData<"/order/pricing">;

/** What the cart costs now and when it would be ready. Another cart shows the last answer until its own is there. */
export const quoteQuery = (cart: Cart) =>
  queryOptions({
    queryKey: ["quote", contractCart(cart)],
    queryFn: ({ signal }) => write("/order/pricing", { cart: contractCart(cart) }, { signal }),
    enabled: cart.items.length > 0,
    placeholderData: keepPreviousData,
    // The promise moves on with the clock and with other people's orders.
    staleTime: 15_000,
    refetchInterval: 30_000,
  });

/** The times that an order of so many seconds' making can be had, and how. */
export const pickupOptionsQuery = (storeId: string, makeSeconds: number | undefined) =>
  queryOptions({
    queryKey: ["pickup-options", storeId, makeSeconds],
    queryFn: ({ signal }) =>
      read("/store/pickup-options", { storeId, ...(makeSeconds ? { makeSeconds } : {}) }, { signal }),
    enabled: storeId !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
