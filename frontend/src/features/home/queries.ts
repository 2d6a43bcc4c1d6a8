import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { cartKeys, walletKeys } from "@/shell/queries";

export type Order = GetData<"/order/active-orders">["orders"][number];

/** Points and reward tiers. */
export const pointsQuery = queryOptions({
  queryKey: walletKeys.points,
  queryFn: ({ signal }) => read("/user/points", {}, { signal }),
});

/** The cart saved on the server. */
export const savedCartQuery = queryOptions({
  queryKey: cartKeys.saved,
  queryFn: ({ signal }) => read("/user/cart", {}, { signal }),
  staleTime: 5 * 60_000,
});
