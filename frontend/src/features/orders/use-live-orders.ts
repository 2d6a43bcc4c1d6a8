import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { cacheOrder } from "./cache-order";
import type { Order } from "./queries";

/** Delay before a rejected stream is reopened: the gateway's `Retry-After`, which EventSource does not expose. */
export const REOPEN_DELAY_MS = 30_000;

/**
 * Follows the consumer's orders by server-sent events and writes each change into the query cache. Returns whether the
 * stream is connected; otherwise, and for late orders, screens poll by `getPollInterval`.
 */
export function useLiveOrders(enabled: boolean): boolean {
  const queryClient = useQueryClient();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (!enabled || typeof EventSource === "undefined") return;
    let source: EventSource;
    let reopenTimer: number | undefined;
    const open = () => {
      source = new EventSource("/api/consumer/order/events");
      source.addEventListener("open", () => setConnected(true));
      source.addEventListener("error", () => {
        setConnected(false);
        // The browser reconnects a broken stream, but not a rejected one (for example, too many open streams).
        if (source.readyState === EventSource.CLOSED) reopenTimer = window.setTimeout(open, REOPEN_DELAY_MS);
      });
      // The snapshot contains the changes from before the connection.
      source.addEventListener("snapshot", ({ data }) => {
        for (const order of parseSnapshot(data)) cacheOrder(queryClient, order);
      });
      source.addEventListener("order", ({ data }) => {
        const order = parseOrder(data);
        if (order) cacheOrder(queryClient, order);
      });
    };
    open();
    return () => {
      window.clearTimeout(reopenTimer);
      source.close();
      setConnected(false);
    };
  }, [enabled, queryClient]);
  return isConnected;
}

// The gateway's tests check that the stream has the types of the contract. Malformed data is ignored.
function parseSnapshot(data: string): Order[] {
  const parsed = parseJson(data);
  return (parsed as { orders?: Order[] } | undefined)?.orders ?? [];
}

function parseOrder(data: string): Order | undefined {
  const parsed = parseJson(data) as Order | undefined;
  return typeof parsed?.orderId === "string" ? parsed : undefined;
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
