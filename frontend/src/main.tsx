// Must be the first import: declares the order of the cascade layers.
import "./styles/main.css";

import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApp } from "./router";
import { saveBookmark } from "./shell/bookmark";
import { checkBuild, reloadWhenIdle } from "./shell/build-check";
import { report } from "./shell/error-reports";
import { watchMissingCode } from "./shell/missing-code";
import { StorageGate } from "./shell/StorageGate";
import { followTheme } from "./shell/theme";

const { queryClient, router } = createApp();
const askForBuild = () => void checkBuild(() => reloadWhenIdle(queryClient));

followTheme();
saveBookmark(location.search);
window.addEventListener("error", ({ error }) => report(error));
window.addEventListener("unhandledrejection", ({ reason }) => report(reason));

router.subscribe("onResolved", ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) askForBuild();
});
watchMissingCode(askForBuild);

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  window.addEventListener("load", () => void navigator.serviceWorker.register("/sw.js"));
}

const root = document.getElementById("root");
if (root) {
  createRoot(root, { onUncaughtError: report }).render(
    <StrictMode>
      <StorageGate>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StorageGate>
    </StrictMode>,
  );
}
