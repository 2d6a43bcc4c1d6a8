import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { formatISO } from "date-fns/formatISO";
import { read } from "@/api/client";
import { device } from "@/state/device";
import { readAppConfig } from "./app-config";
import type { ShownBanner } from "./InstallBanner";
import { sessionQuery } from "./queries";

/** Returns whether the device can follow the offer: a phone needs the button, and with it the address of the app store. */
function canInstall(): boolean {
  const source = device.sourceDevice.get();
  return source === "desktop" || (source === "mobile-web" && Boolean(readAppConfig().appStoreUrl));
}

/** `/lp` counts anywhere in the path. The store console is not for consumers. */
const isExcluded = (pathname: string): boolean =>
  pathname === "/" ||
  pathname === "/explore/location-permissions" ||
  pathname.includes("/lp") ||
  pathname.startsWith("/store-console");

/**
 * Shows the install banner on the first route outside the excluded ones, once per browser, on mobile web and desktop
 * (specification section 4), and hides it on those. Without an address of the app store it does not show on mobile web. Returns a function that ends it.
 */
export function offerInstallBanner(router: AnyRouter, queryClient: QueryClient): () => void {
  let isLoading = false;
  let isEnded = false;
  let banner: ShownBanner | undefined;
  const isHidden = () => isExcluded(router.state.location.pathname);
  const isDue = () => device.lastSmartBanner.get() === null && canInstall() && !isHidden() && !isEnded;
  const check = async () => {
    if (isLoading || !isDue()) return;
    isLoading = true;
    try {
      const [step, { showInstallBanner }] = await Promise.all([
        getJourneyStep(queryClient),
        import("./InstallBanner"),
      ]);
      // The consumer may have left the route in the meantime.
      if (!isDue()) return;
      device.lastSmartBanner.set(formatISO(new Date(), { representation: "date" }));
      banner = showInstallBanner(step);
    } catch {
      // Without a connection the next route tries again.
    } finally {
      isLoading = false;
    }
  };
  void check();
  const unsubscribe = router.subscribe("onResolved", () => {
    banner?.setHidden(isHidden());
    void check();
  });
  return () => {
    isEnded = true;
    unsubscribe();
    banner?.close();
  };
}

/** "app" if the session was handed over by the native app. Signed-out visits have no step. */
async function getJourneyStep(queryClient: QueryClient): Promise<"app" | "web"> {
  if ((await queryClient.ensureQueryData(sessionQuery)) === null) return "web";
  return (await read("/user/journey-step", {})).journeyStep;
}
