import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Order = GetData<"/order/status">;
export type Status = Order["status"];

const PAGE = 20;

/** One order. The live stream writes into it; without the stream it is asked for again and again. */
export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ["orders", "one", orderId],
    queryFn: ({ signal }) => read("/order/status", { orderId }, { signal }),
    staleTime: 10_000,
  });

/** All orders, newest first, page by page. */
export const ordersQuery = infiniteQueryOptions({
  queryKey: ["orders", "all"],
  queryFn: async ({ pageParam, signal }) =>
    (await read("/user/orders", { take: PAGE, skip: pageParam }, { signal })).orders,
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
});
