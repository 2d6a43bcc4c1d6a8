import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { isInNativeShell } from "@/native/shell";
import { saveBookmark } from "./bookmark";
import { updateRewardIndicator } from "./reward-indicator";
import { followTheme } from "./theme";

/**
 * Starts what the first paint does not need, so that it is not part of the first script. `search` is that of the address that was
 * opened.
 */
export async function startAfterLoad(
  router: AnyRouter,
  queryClient: QueryClient,
  search: string,
): Promise<void> {
  followTheme();
  saveBookmark(search);
  if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
  updateRewardIndicator();
  router.subscribe("onResolved", () => updateRewardIndicator());
  if (!isInNativeShell()) return;
  const { startBridge } = await import("@/native/start");
  startBridge(router, queryClient);
}
