import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { keepNewer } from "@/lib/keep-newer";
import { orderKeys } from "@/shell/queries";
import { device } from "@/state/device";

export type Order = GetData<"/order/active-orders">["orders"][number];
export type Status = Order["status"];
export type Receipt = GetData<"/order/complete">;

const PAGE_SIZE = 20;

/** One order. The live stream writes into this query; without the stream, screens poll it. */
export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: orderKeys.detail(orderId),
    queryFn: ({ signal }): Promise<Order> => read("/order/status", { orderId }, { signal }),
    staleTime: 10_000,
    structuralSharing: keepNewer,
  });

/** The receipt of an order of the consumer, or with a signature the public one. */
export const receiptQuery = (orderId: string, signature?: string) =>
  queryOptions({
    queryKey: orderKeys.receipt(orderId, signature),
    queryFn: ({ signal }) =>
      read(
        "/order/complete",
        signature === undefined ? { orderId } : { orderId, signature, isReceiptPublicPage: true },
        { signal },
      ),
    staleTime: 10_000,
  });

/** The order if it is active. `overrideDay` is for tests of other days, outside production. */
export const activeOrderQuery = (orderId: string, overrideDay = device.mockData.get()?.day ?? "") =>
  queryOptions({
    queryKey: orderKeys.activeOne(orderId, overrideDay),
    queryFn: ({ signal }) =>
      read("/order/active", overrideDay ? { orderId, overrideDay } : { orderId }, { signal }),
  });

/** All orders, newest first. */
export const ordersQuery = infiniteQueryOptions({
  queryKey: orderKeys.history,
  queryFn: async ({ pageParam, signal }) =>
    (await read("/user/orders", { take: PAGE_SIZE, skip: pageParam }, { signal })).orders,
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
});
