import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { consoleKeys, type StoreOrder } from "./queries";
import { removeFromQueue, updateQueue } from "./update-queue";

/** Delay before a rejected stream is reopened: the gateway's `Retry-After`, which EventSource does not expose. */
export const REOPEN_DELAY_MS = 30_000;

/** Follows the queue of a store by server-sent events. Returns whether the stream is connected; otherwise the board polls. */
export function useQueueStream(storeId: string): boolean {
  const queryClient = useQueryClient();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (typeof EventSource === "undefined") return;
    let source: EventSource;
    let reopenTimer: number | undefined;
    const open = () => {
      source = new EventSource(`/store-api/queue/events?storeId=${encodeURIComponent(storeId)}`);
      source.addEventListener("open", () => setConnected(true));
      source.addEventListener("error", () => {
        setConnected(false);
        // The browser reconnects a broken stream, but not a rejected one.
        if (source.readyState === EventSource.CLOSED) reopenTimer = window.setTimeout(open, REOPEN_DELAY_MS);
      });
      source.addEventListener("snapshot", ({ data }) => {
        const orders = (parseJson(data) as { orders?: StoreOrder[] } | undefined)?.orders;
        if (orders) queryClient.setQueryData(consoleKeys.queue(storeId), orders);
      });
      source.addEventListener("order", ({ data }) => {
        const order = parseJson(data) as StoreOrder | undefined;
        if (order) updateQueue(queryClient, storeId, order);
      });
      source.addEventListener("removed", ({ data }) => {
        const removed = parseJson(data) as { orderId: string } | undefined;
        if (removed) removeFromQueue(queryClient, storeId, removed.orderId);
      });
    };
    open();
    return () => {
      window.clearTimeout(reopenTimer);
      source.close();
      setConnected(false);
    };
  }, [storeId, queryClient]);
  return isConnected;
}

// The gateway's tests check that the stream has the types of the contract. Malformed data is ignored.
function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
