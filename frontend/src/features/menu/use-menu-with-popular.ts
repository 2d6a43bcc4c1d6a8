import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { menuQuery, topOrderedQuery } from "./queries";

/** How long a loaded menu waits for the popular items. */
export const MAX_WAIT_MS = 1000;

/**
 * Returns the menu of a store and its popular items. Both appear together, because the popular items would push the menu down. A failed
 * call does not hold it up, nor a slow one, whose items are left out.
 */
export function useMenuWithPopular(storeId: string) {
  const { data } = useQuery({ ...menuQuery(storeId), throwOnError: (_, { state }) => !state.data });
  const { data: popular, isPending, failureCount } = useQuery(topOrderedQuery(storeId));
  const isLate = useIsLate(storeId, data !== undefined && isPending);
  const isShown = data !== undefined && (!isPending || failureCount > 0 || isLate);
  // Deferred, so that rendering many tiles does not block taps.
  const menu = useDeferredValue(isShown ? data : undefined);
  const topOrdered = useDeferredValue(isShown && !isLate ? popular : undefined);
  return { menu, topOrdered };
}

/** Returns whether the menu of this store has waited for the maximum time. */
function useIsLate(storeId: string, isWaiting: boolean): boolean {
  const [lateStore, setLateStore] = useState<string>();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLateStore(storeId), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [storeId, isWaiting]);
  return lateStore === storeId;
}
