import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { device } from "@/state/device";
import { modals } from "./modals";
import { sessionKeys, sessionQuery } from "./queries";

/** The profile on the device. */
const KEY = "order-ahead.user";

/** Follows sign-ins and sign-outs in other tabs, which have the same session. Returns a function that ends it. */
export function followOtherTabs(router: AnyRouter, queryClient: QueryClient): () => void {
  const check = ({ key }: StorageEvent) => {
    if (key !== KEY && key !== null) return;
    const session = queryClient.getQueryData(sessionQuery.queryKey);
    if (session !== undefined && session?.id !== device.user.get()?.id)
      void changeConsumer(router, queryClient);
  };
  window.addEventListener("storage", check);
  return () => window.removeEventListener("storage", check);
}

/** Drops what was loaded for the previous consumer. A screen that requires a session opens the sign-in after a sign-out. */
async function changeConsumer(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  const isSignedIn = device.user.get() !== null;
  modals.closeAll();
  await queryClient.cancelQueries();
  if (!isSignedIn) queryClient.setQueryData(sessionQuery.queryKey, null);
  void queryClient.resetQueries({
    predicate: ({ queryKey }) => isSignedIn || queryKey[0] !== sessionKeys.profile[0],
  });
  await router.invalidate();
}
