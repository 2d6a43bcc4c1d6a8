import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { isMissingCode } from "./api/errors";
import { createApp } from "./router";
import { checkBuild, reloadWhenIdle } from "./shell/build-check";
import { report } from "./shell/error-reports";
import { uncoverScreen } from "./shell/first-paint";
import { watchMissingCode } from "./shell/missing-code";
import { StorageGate } from "./shell/StorageGate";
import { startSignedOut } from "./shell/session";

/** The address that was opened, and the window at that time. */
interface Opened {
  search: string;
  width: number;
}

/** Starts the app. Creating the app, loading the route and rendering are tasks of their own, so that the page stays responsive. */
export function start({ search, width }: Opened): void {
  const { queryClient, router } = createApp();
  startSignedOut(queryClient);
  const askForBuild = () => void checkBuild(() => reloadWhenIdle(queryClient));
  window.addEventListener("unhandledrejection", ({ reason }) => {
    if (isMissingCode(reason)) askForBuild();
  });
  router.subscribe("onResolved", ({ fromLocation, hrefChanged }) => {
    if (fromLocation && hrefChanged) askForBuild();
  });
  router.subscribe("onRendered", uncoverScreen);
  watchMissingCode(router, askForBuild);

  const startLater = () =>
    import("./shell/after-load").then(
      ({ startAfterLoad }) => void startAfterLoad(router, queryClient, search, width),
      () => undefined,
    );
  const stopWaiting = router.subscribe("onResolved", () => {
    stopWaiting();
    // Safari has no idle callbacks.
    (window.requestIdleCallback ?? setTimeout)(startLater);
  });
  setTimeout(() => {
    // Before it is rendered: the first rendering has the screen then, in slices. Each later change of the router is rendered at once.
    void router.load({ sync: true });
    setTimeout(render, 0, queryClient, router);
  });
}

function render(queryClient: QueryClient, router: ReturnType<typeof createApp>["router"]): void {
  const root = document.getElementById("root");
  if (!root) return;
  // A transition renders in slices, so that the page stays responsive.
  startTransition(() =>
    createRoot(root, { onUncaughtError: report }).render(
      <StrictMode>
        <StorageGate>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </StorageGate>
      </StrictMode>,
    ),
  );
}
