import type { AnyRouter } from "@tanstack/react-router";
import { describeRoute } from "@/shell/describe-route";
import { report } from "@/shell/error-reports";
import { listenToShell, sendToShell } from "./bridge";

/** Loads a page from the server. */
type LoadPage = (path: string, replace: boolean) => void;

const loadPage: LoadPage = (path, replace) => {
  if (replace) location.replace(path);
  else location.assign(path);
};

/** Sends the route after each navigation, the current one first. */
export function sendRouteChanges(router: AnyRouter): () => void {
  const send = () => {
    const route = describeRoute(router);
    if (route) sendToShell("route-change", route);
  };
  send();
  return router.subscribe("onResolved", ({ hrefChanged }) => {
    if (hrefChanged) send();
  });
}

/** Opens the pages that the shell requests: links into the app and notifications. */
export function receiveNavigate(router: AnyRouter, load: LoadPage = loadPage): () => void {
  return listenToShell("navigate", ({ pathname, url, replace = false }) => {
    const target = toAppUrl(pathname ?? url);
    if (!target) return report(new Error("the native shell navigates to another site"));
    const path = target.pathname + target.search + target.hash;
    // The gateway exchanges hand-over codes.
    if (target.searchParams.has("session")) load(path, replace);
    else if (replace) router.history.replace(path);
    else router.history.push(path);
  });
}

/** Enters the session of a hand-over code: the gateway exchanges it when it receives the address of the page with the code. */
export function receiveSession(load: LoadPage = loadPage): () => void {
  return listenToShell("session", ({ code }) => {
    const { pathname, search, hash } = location;
    const parameters = new URLSearchParams(search);
    parameters.set("session", code);
    load(`${pathname}?${parameters}${hash}`, true);
  });
}

/** Returns the URL if it is one of this app. */
function toAppUrl(address = ""): URL | undefined {
  if (address === "" || !URL.canParse(address, location.origin)) return undefined;
  const url = new URL(address, location.origin);
  return url.origin === location.origin ? url : undefined;
}
