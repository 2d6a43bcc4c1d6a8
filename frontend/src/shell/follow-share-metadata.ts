import type { AnyRouter } from "@tanstack/react-router";
import { pages } from "./pages";
import { setRouteMetadata } from "./share-metadata";

/**
 * Sets the document's title and the metadata of shared links (specification section 2) after each route change. The gateway
 * writes those of the first page, for clients without scripts, with the name of the store or company. They stay until the next route, or
 * until the screen sets its own. Returns a function that stops it.
 */
export function followShareMetadata(router: AnyRouter): () => void {
  const findPath = () => router.state.matches.at(-1)?.fullPath.replace(/(.)\/$/, "$1");
  const update = () => {
    const path = findPath();
    setRouteMetadata((path && pages[path]) || pages["/"] || null);
  };
  if (!(findPath()?.includes("$") && isServedForAddress())) update();
  return router.subscribe("onResolved", ({ hrefChanged }) => {
    if (hrefChanged) update();
  });
}

/** Returns whether the page is that of its address. Offline the page of another one may be served. */
function isServedForAddress(): boolean {
  const url = document.head.querySelector<HTMLMetaElement>('meta[property="og:url"]')?.content;
  return url !== undefined && new URL(url, location.href).pathname === location.pathname;
}
