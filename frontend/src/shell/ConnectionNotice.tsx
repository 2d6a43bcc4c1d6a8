import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import WifiOff from "lucide-react/icons/wifi-off";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createRoot, type Root } from "react-dom/client";
import { cachedAt } from "@/api/cached-responses";

const MIN_DELAY_MS = 5_000;
const MAX_DELAY_MS = 60_000;

const EVENTS = ["online", "offline", "api_response"] as const;

/**
 * Shows a notice at the top of the screen while the device is offline, or shows cached responses. It has a root of its own,
 * because it is not part of the first script. Returns a function that ends it.
 */
export function showConnectionNotice(router: AnyRouter, queryClient: QueryClient): () => void {
  let shown: { container: HTMLElement; root: Root } | undefined;
  const update = () => {
    const container = document.getElementById("connection-notice");
    if (!container) return;
    if (shown?.container !== container) {
      shown?.root.unmount();
      shown = { container, root: createRoot(container) };
    }
    const isOnline = navigator.onLine;
    const isUpToDate = isOnline && cachedAt.size === 0;
    shown.root.render(!isUpToDate && <ConnectionNotice isOnline={isOnline} queryClient={queryClient} />);
  };
  update();
  const unsubscribe = router.subscribe("onRendered", update);
  for (const event of EVENTS) window.addEventListener(event, update);
  return () => {
    unsubscribe();
    for (const event of EVENTS) window.removeEventListener(event, update);
    shown?.root.unmount();
  };
}

interface ConnectionNoticeProps {
  isOnline: boolean;
  queryClient: QueryClient;
}

function ConnectionNotice({ isOnline, queryClient }: ConnectionNoticeProps): ReactNode {
  const isOffline = useRefetch(isOnline, queryClient);
  const isScreenLoaded = useSyncExternalStore(subscribeToPage, isLoaded);
  return (
    <p className="t-small mx-auto flex max-w-page items-center justify-center gap-2 bg-sunk px-gutter py-2 text-ink-2">
      <WifiOff aria-hidden="true" size={16} />
      {isOffline ? "You're offline." : "We're having trouble connecting."}
      {isScreenLoaded && " Showing your last update."}
    </p>
  );
}

/** Returns whether the screen shows all of its data: no part still loads or failed to. */
const isLoaded = (): boolean => document.querySelector("main :is(.skeleton, [role=alert])") === null;

function subscribeToPage(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * While the device has a network, fetches the queries of the screen again: at once if it was offline before, otherwise after
 * {@link MIN_DELAY_MS}, and then less and less often. The others are fetched when a screen shows them. Returns whether the device is
 * offline, or was until the fetch that is running.
 */
function useRefetch(isOnline: boolean, queryClient: QueryClient): boolean {
  const [isOffline, setOffline] = useState(!isOnline);
  const wasOffline = useRef(!isOnline);
  useEffect(() => {
    if (!isOnline) {
      wasOffline.current = true;
      return setOffline(true);
    }
    let isEnded = false;
    let delay = MIN_DELAY_MS;
    let timer: ReturnType<typeof setTimeout>;
    const refetch = async () => {
      const startedAt = Date.now();
      await queryClient.invalidateQueries();
      // The others are of screens that the consumer left.
      for (const [path, at] of cachedAt) if (at < startedAt) cachedAt.delete(path);
      window.dispatchEvent(new Event("api_response"));
      if (isEnded) return;
      wasOffline.current = false;
      setOffline(false);
      schedule();
    };
    const schedule = () => {
      timer = setTimeout(refetch, delay);
      delay = Math.min(2 * delay, MAX_DELAY_MS);
    };
    if (wasOffline.current) void refetch();
    else schedule();
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [isOnline, queryClient]);
  return isOffline;
}
