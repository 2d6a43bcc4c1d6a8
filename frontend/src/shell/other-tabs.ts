import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { device } from "@/state/device";
import { modals } from "./modals";
import { sessionKeys, sessionQuery } from "./queries";

/** The profile on the device. */
const KEY = "order-ahead.user";

/** Follows sign-ins and sign-outs in other tabs, which have the same session. Returns a function that ends it. */
export function followOtherTabs(router: AnyRouter, queryClient: QueryClient): () => void {
  const check = () => {
    const session = queryClient.getQueryData(sessionQuery.queryKey);
    if (session !== undefined && session?.id !== device.user.get()?.id)
      void changeConsumer(router, queryClient);
  };
  const handleStorage = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) check();
  };
  // A page in the back/forward cache gets no events of other tabs.
  const handleShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) check();
  };
  // Another tab may have signed out while this one started.
  if (queryClient.getQueryData(sessionQuery.queryKey)) check();
  window.addEventListener("storage", handleStorage);
  window.addEventListener("pageshow", handleShow);
  return () => {
    window.removeEventListener("storage", handleStorage);
    window.removeEventListener("pageshow", handleShow);
  };
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
