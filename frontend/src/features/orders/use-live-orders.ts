import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Order, orderQuery } from "./queries";

/** How often orders are asked for while the stream is away. */
export const POLL_MS = 4_000;
/** When a refused stream is asked for again: what the gateway says in `Retry-After`, which EventSource does not read. */
export const REOPEN_MS = 30_000;

/**
 * Follows the consumer's orders by server-sent events while the screen is open, and writes each change into the
 * cache. Returns whether the stream is there; while it is not, screens ask every {@link POLL_MS}.
 */
export function useLiveOrders(enabled: boolean): boolean {
  const queryClient = useQueryClient();
  const [live, setLive] = useState(false);
  useEffect(() => {
    if (!enabled || typeof EventSource === "undefined") return;
    let source: EventSource;
    let reopening: number | undefined;
    const open = () => {
      source = new EventSource("/api/consumer/order/events");
      source.addEventListener("open", () => setLive(true));
      source.addEventListener("error", () => {
        setLive(false);
        // The browser connects again by itself where a stream broke. One that is refused, as where a person has too
        // many open, it gives up.
        if (source.readyState === EventSource.CLOSED) reopening = window.setTimeout(open, REOPEN_MS);
      });
      // What happened before it opened comes with the snapshot.
      source.addEventListener("snapshot", ({ data }) => {
        for (const order of ordersIn(data)) keep(queryClient, order);
      });
      source.addEventListener("order", ({ data }) => {
        const order = orderIn(data);
        if (order) keep(queryClient, order);
      });
    };
    open();
    return () => {
      window.clearTimeout(reopening);
      source.close();
      setLive(false);
    };
  }, [enabled, queryClient]);
  return live;
}

/** Puts an order into the cache unless a newer version is there; lists of orders are asked again. */
export function keep(queryClient: QueryClient, order: Order): void {
  const { queryKey } = orderQuery(order.orderId);
  const held = queryClient.getQueryData(queryKey);
  if (held && held.version > order.version) return;
  queryClient.setQueryData(queryKey, order);
  if (held?.version === order.version) return;
  for (const list of ["active", "all"]) void queryClient.invalidateQueries({ queryKey: ["orders", list] });
  if (order.status === "Completed") void queryClient.invalidateQueries({ queryKey: ["inbox"] });
}

// The contract's own types: the gateway's tests hold the stream to them. What cannot be read is left out.
function ordersIn(data: string): Order[] {
  const parsed = parse(data);
  return (parsed as { orders?: Order[] } | undefined)?.orders ?? [];
}

function orderIn(data: string): Order | undefined {
  const parsed = parse(data) as Order | undefined;
  return typeof parsed?.orderId === "string" ? parsed : undefined;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
