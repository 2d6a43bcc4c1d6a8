import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { describeRoute } from "./describe-route";
import { sessionKeys, sessionQuery } from "./queries";

/**
 * Sends route changes and sessions to the configured address (specification section 7, "native or analytics bridge"), without
 * personal data. Returns a function that ends it.
 */
export function sendAnalytics(address: string, router: AnyRouter, queryClient: QueryClient): () => void {
  const send = (event: string, detail: object) =>
    navigator.sendBeacon(address, JSON.stringify({ event, ...detail }));
  const sendRoute = () => {
    const route = describeRoute(router);
    if (route) send("route-change", route);
  };
  let signedIn: boolean | undefined;
  const sendSession = () => {
    const profile = queryClient.getQueryData(sessionQuery.queryKey);
    if (profile === undefined || signedIn === (profile !== null)) return;
    signedIn = profile !== null;
    send("session", { signedIn });
  };
  sendRoute();
  sendSession();
  const stops = [
    router.subscribe("onResolved", ({ hrefChanged }) => hrefChanged && sendRoute()),
    queryClient
      .getQueryCache()
      .subscribe(({ query }) => query.queryKey[0] === sessionKeys.profile[0] && sendSession()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
