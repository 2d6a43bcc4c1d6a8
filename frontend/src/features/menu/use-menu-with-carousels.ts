import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { deferModule } from "@/lib/defer-module";
import { wasListLeft } from "@/lib/use-idle-ready";
import { useSession } from "@/shell/session";
import { menuQuery, topOrderedQuery } from "./queries";
import { usualItemsQuery } from "./usual-items";

/** How long a loaded menu waits for the items above it. */
export const MAX_WAIT_MS = 1000;

/** Only signed-in consumers have usual items. Others do not load the code. */
const menuUsuals = deferModule(() => import("./MenuUsuals"));

/**
 * Returns the menu of a store, its popular items and the consumer's usual items. They appear together, because the items above the menu
 * would push it down. It does not wait for failed calls, and omits the items of slow ones.
 */
export function useMenuWithCarousels(storeId: string) {
  const { data } = useQuery({ ...menuQuery(storeId), throwOnError: (_, { state }) => !state.data });
  const { data: popular, isPending, failureCount } = useQuery(topOrderedQuery(storeId));
  const { isLoading: areUsualsLoading, items, MenuUsuals } = useUsuals(storeId);
  const hasMenu = data !== undefined;
  const popularState = useLoadState(storeId, hasMenu, isPending && failureCount === 0);
  const usualsState = useLoadState(storeId, hasMenu, areUsualsLoading);
  const isShown = hasMenu && popularState !== "loading" && usualsState !== "loading";
  const menu = useDeferred(isShown ? data : undefined);
  const topOrdered = useDeferred(isShown && popularState === "loaded" ? popular : undefined);
  const usualItems = useDeferred(isShown && usualsState === "loaded" ? items : undefined);
  const usualCount = usualsState === "loaded" ? (items?.length ?? 0) : 0;
  return {
    menu,
    topOrdered,
    usualItems,
    MenuUsuals,
    /** Whether there are usual items; undefined until that is known. */
    hasUsuals: usualsState === "loading" ? undefined : usualCount > 0,
  };
}

/**
 * Defers a value, so that rendering many tiles does not block taps. Also the first one, unless the consumer comes back to the scroll
 * position, which needs all of the list.
 */
const useDeferred = <Value>(value: Value): Value | undefined =>
  useDeferredValue<Value | undefined>(value, wasListLeft() ? value : undefined);

/** Returns the usual items of a signed-in consumer, and the component that shows them. */
function useUsuals(storeId: string) {
  const session = useSession();
  const isSignedIn = Boolean(session);
  const module = menuUsuals.use(isSignedIn);
  const { data, isPending, failureCount } = useQuery({ ...usualItemsQuery(storeId), enabled: isSignedIn });
  const isLoading = !module || (isPending && failureCount === 0);
  return {
    isLoading: session === undefined || (isSignedIn && isLoading),
    items: data?.items,
    MenuUsuals: module?.MenuUsuals,
  };
}

/** Returns whether items above the loaded menu of this store loaded in time. */
function useLoadState(
  storeId: string,
  hasMenu: boolean,
  isLoading: boolean,
): "loading" | "loaded" | "timed-out" {
  const [timedOutStore, setTimedOutStore] = useState<string>();
  const isWaiting = hasMenu && isLoading;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setTimedOutStore(storeId), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [storeId, isWaiting]);
  if (timedOutStore === storeId) return "timed-out";
  return isLoading ? "loading" : "loaded";
}
