import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { openEventStream } from "@/lib/event-stream";
import type { StoreOrder } from "./queries";
import { removeFromQueue, updateQueue, writeQueue } from "./update-queue";

/** Follows the queue of a store by server-sent events. Returns whether the stream is connected; otherwise the board polls. */
export function useQueueStream(storeId: string): boolean {
  const queryClient = useQueryClient();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (typeof EventSource === "undefined") return;
    // The gateway's tests check that the stream has the types of the contract.
    return openEventStream({
      url: `/store-api/queue/events?storeId=${encodeURIComponent(storeId)}`,
      onConnection: setConnected,
      onEvent: {
        snapshot: (data) => {
          const { orders } = data as { orders?: StoreOrder[] };
          if (orders) writeQueue(queryClient, storeId, () => orders);
        },
        order: (data) => updateQueue(queryClient, storeId, data as StoreOrder),
        removed: (data) => removeFromQueue(queryClient, storeId, (data as { orderId: string }).orderId),
      },
    });
  }, [storeId, queryClient]);
  return isConnected;
}
