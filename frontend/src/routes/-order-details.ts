import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ordersQuery } from "@/features/orders/queries";
import type { OrderDetails } from "@/features/wallet/format";

/** Returns the loaded orders by id, which explain transactions. Transactions of other orders show the ledger's title. */
export function useOrderDetails(): ReadonlyMap<string, OrderDetails> {
  const { data } = useInfiniteQuery(ordersQuery);
  return useMemo(() => new Map(data?.pages.flat().map((order) => [order.orderId, order])), [data]);
}
