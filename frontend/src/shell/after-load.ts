import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { runInSeparateTasks } from "@/lib/run-in-separate-tasks";
import { isInNativeShell } from "@/native/shell";
import { clearOrderedCart } from "@/state/ordered-cart";
import { followAddressParameters } from "./address-parameters";
import { readAppConfig } from "./app-config";
import { followShareMetadata } from "./follow-share-metadata";
import { offerInstallBanner } from "./install-banner";
import { modals } from "./modals";
import { followOtherTabs } from "./other-tabs";
import { repeatSignOut } from "./pending-sign-out";
import { followRewardIndicator, updateRewardIndicator } from "./reward-indicator";
import { recordSourceDevice } from "./source-device";
import { followTheme } from "./theme";

/** On a first visit the service worker loads all files of the app, 1.3 MB. The first screen and its data come before them. */
const WORKER_DELAY_MS = 3_000;

const registerWorker = () => void navigator.serviceWorker.register("/sw.js");

/**
 * Starts what the first paint does not need, so that it is not part of the first script. `search` is that of the address that was
 * opened, and `width` that of the window: reading it later lays out the page once more. Returns a function that ends it, for tests.
 */
export function startAfterLoad(
  router: AnyRouter,
  queryClient: QueryClient,
  search: string,
  width?: number,
): () => void {
  clearOrderedCart();
  followTheme();
  recordSourceDevice(width);
  if (import.meta.env.PROD && "serviceWorker" in navigator) setTimeout(registerWorker, WORKER_DELAY_MS);
  updateRewardIndicator();
  const stops = [
    repeatSignOut(),
    followOtherTabs(router, queryClient),
    followAddressParameters(router, queryClient, search),
    followShareMetadata(router),
    router.subscribe("onResolved", () => updateRewardIndicator()),
    // Also after Back and a `navigate` of the native shell, which do not know of the modals.
    router.subscribe("onBeforeNavigate", ({ pathChanged }) => {
      if (pathChanged) modals.closeCovering();
    }),
    followRewardIndicator(),
  ];
  let isEnded = false;
  const start = (step: Step) => async () => {
    if (isEnded) return;
    const stop = await step(router, queryClient);
    if (isEnded) stop();
    else stops.push(stop);
  };
  // Each loads scripts, which takes the browser time.
  void runInSeparateTasks(...STEPS.map(start));
  return () => {
    isEnded = true;
    for (const stop of stops) stop();
  };
}

/** Starts a part of the app. Returns a function that ends it. */
type Step = (router: AnyRouter, queryClient: QueryClient) => Promise<() => void>;

const STEPS: readonly Step[] = [
  async (router, queryClient) => {
    if (!isInNativeShell()) return startAnalytics(router, queryClient);
    const { startBridge } = await import("@/native/start");
    return startBridge(router, queryClient);
  },
  async (router, queryClient) => offerInstallBanner(router, queryClient),
  async (router, queryClient) => {
    const { followSession, offerNotifications } = await import("@/features/account/notifications");
    const stops = [followSession(queryClient), offerNotifications(router, queryClient)];
    return () => {
      for (const stop of stops) stop();
    };
  },
  async (_, queryClient) => (await import("@/features/inbox/follow-inbox")).followInbox(queryClient),
  async (router, queryClient) =>
    (await import("./ConnectionNotice")).showConnectionNotice(router, queryClient),
  async (_, queryClient) => (await import("./ordered-cart")).followOrderedCart(queryClient),
];

async function startAnalytics(router: AnyRouter, queryClient: QueryClient): Promise<() => void> {
  const { analyticsUrl } = readAppConfig();
  if (!analyticsUrl) return () => undefined;
  const { sendAnalytics } = await import("./analytics");
  return sendAnalytics(analyticsUrl, router, queryClient);
}
