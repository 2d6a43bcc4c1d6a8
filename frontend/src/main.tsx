// Must be the first import: declares the order of the cascade layers.
import "./styles/main.css";
import "./styles/transitions.css";

import { QueryClientProvider } from "@tanstack/react-query";
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

const { queryClient, router } = createApp();
startSignedOut(queryClient);
const { search } = location;
const askForBuild = () => void checkBuild(() => reloadWhenIdle(queryClient));

window.addEventListener("error", ({ error }) => report(error));
window.addEventListener("unhandledrejection", ({ reason }) => {
  report(reason);
  if (isMissingCode(reason)) askForBuild();
});

router.subscribe("onResolved", ({ fromLocation, hrefChanged }) => {
  if (fromLocation && hrefChanged) askForBuild();
});
router.subscribe("onResolved", uncoverScreen);
watchMissingCode(router, askForBuild);

const startLater = () =>
  import("./shell/after-load").then(
    ({ startAfterLoad }) => void startAfterLoad(router, queryClient, search),
    () => undefined,
  );
const stopWaiting = router.subscribe("onResolved", () => {
  stopWaiting();
  // Safari has no idle callbacks.
  (window.requestIdleCallback ?? setTimeout)(startLater);
});

const root = document.getElementById("root");
if (root) {
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
