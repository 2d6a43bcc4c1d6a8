import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** How long parts of a screen that have loaded wait for the others. */
export const MAX_WAIT_MS = 1000;

/**
 * Returns whether the parts of a screen were known once: loaded, failed, or too slow. They appear together, because one that
 * appears later would push down those below it.
 */
export function usePartsReady(
  queries: readonly Pick<UseQueryResult, "isLoading" | "failureCount">[],
): boolean {
  const isWaiting = queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  const [isReady, setReady] = useState(false);
  if (!isReady && !isWaiting) setReady(true);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setReady(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isReady;
}
