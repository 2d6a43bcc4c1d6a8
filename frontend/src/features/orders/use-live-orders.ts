import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followConsumer } from "@/lib/consumer-stream";
import { isActive } from "@/lib/order-status";
import { orderKeys } from "@/shell/queries";
import { cacheOrder } from "./cache-order";
import type { Order } from "./queries";

/**
 * Follows the consumer's orders by server-sent events and writes each change into the query cache. Returns whether the
 * stream is connected; otherwise, and for late orders, screens poll by `getPollInterval`.
 */
export function useLiveOrders(enabled: boolean): boolean {
  const queryClient = useQueryClient();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (!enabled || typeof EventSource === "undefined") return;
    // The gateway's tests check that the stream has the types of the contract.
    return followConsumer({
      onConnection: setConnected,
      onEvent: {
        // The snapshot contains the changes from before the connection.
        snapshot: (data) => {
          const { orders = [] } = data as { orders?: Order[] };
          for (const order of orders) cacheOrder(queryClient, order);
          refetchEndedOrders(queryClient, orders);
        },
        order: (data) => {
          const order = data as Order;
          if (typeof order.orderId === "string") cacheOrder(queryClient, order);
        },
      },
    });
  }, [enabled, queryClient]);
  return isConnected;
}

/** Refetches the orders that ended before the stream was connected: the snapshot contains only the active ones. */
function refetchEndedOrders(queryClient: QueryClient, active: readonly Order[]): void {
  const ids = new Set(active.map(({ orderId }) => orderId));
  for (const [queryKey, order] of queryClient.getQueriesData<Order>({ queryKey: orderKeys.details })) {
    if (order && isActive(order) && !ids.has(order.orderId)) void queryClient.invalidateQueries({ queryKey });
  }
}
