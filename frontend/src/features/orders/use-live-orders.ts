import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followConsumer } from "@/lib/consumer-stream";
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
          for (const order of (data as { orders?: Order[] }).orders ?? []) cacheOrder(queryClient, order);
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
