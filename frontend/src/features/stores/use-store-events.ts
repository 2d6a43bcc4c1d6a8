import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { openEventStream } from "@/lib/event-stream";

/** Without a stream, the store is read again at this interval. */
export const REFRESH_INTERVAL_MS = 15_000;

/**
 * `menu`: items, sizes or choices are sold out or available again, or the menu is new. `status`: the store pauses or accepts
 * orders again. `opened`: follow the changes from now on; one before that may have been missed.
 */
export type StoreEvent = "menu" | "status" | "opened";

/** Calls `onEvent` when a store changes, while the page is visible. Without a stream, it is called at an interval. */
export function useStoreEvents(storeId: string, onEvent: (event: StoreEvent) => void): void {
  const isVisible = useSyncExternalStore(subscribeToVisibility, getVisibility);
  const notify = useEffectEvent(onEvent);
  useEffect(() => {
    if (!isVisible) return;
    let timer: number | undefined;
    const startTimer = () => {
      timer ??= window.setInterval(() => {
        notify("menu");
        notify("status");
      }, REFRESH_INTERVAL_MS);
    };
    const stopTimer = () => {
      window.clearInterval(timer);
      timer = undefined;
    };
    startTimer();
    if (typeof EventSource === "undefined") return stopTimer;
    const close = openEventStream({
      url: `/api/consumer/store/events?storeId=${encodeURIComponent(storeId)}`,
      onConnection: (isConnected) => {
        if (!isConnected) return startTimer();
        stopTimer();
        notify("opened");
      },
      onEvent: { menu: () => notify("menu"), status: () => notify("status") },
    });
    return () => {
      close();
      stopTimer();
    };
  }, [isVisible, storeId]);
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

const getVisibility = (): boolean => document.visibilityState === "visible";
