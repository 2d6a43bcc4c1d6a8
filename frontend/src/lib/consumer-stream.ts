import { openEventStream } from "./event-stream";

/** A part of the page that follows the stream of the signed-in consumer. */
interface Listener {
  onConnection?: (isConnected: boolean) => void;
  onEvent: {
    snapshot?: (data: unknown) => void;
    order?: (data: unknown) => void;
    inbox?: (data: unknown) => void;
  };
}

const listeners = new Set<Listener>();
let close: (() => void) | undefined;

/**
 * Follows the consumer's orders and inbox. All parts of the page share one connection, which a new listener opens again to get the
 * snapshot. Returns a function that ends it.
 */
export function followConsumer(listener: Listener): () => void {
  listeners.add(listener);
  open();
  return () => {
    listeners.delete(listener);
    listener.onConnection?.(false);
    if (listeners.size > 0) return;
    close?.();
    close = undefined;
  };
}

function open(): void {
  close?.();
  const forward = (name: keyof Listener["onEvent"]) => (data: unknown) => {
    for (const { onEvent } of listeners) onEvent[name]?.(data);
  };
  close = openEventStream({
    url: "/api/consumer/order/events",
    onConnection: (isConnected) => {
      for (const { onConnection } of listeners) onConnection?.(isConnected);
    },
    onEvent: { snapshot: forward("snapshot"), order: forward("order"), inbox: forward("inbox") },
  });
}
