import type { AnyRouter } from "@tanstack/react-router";

/** The key that the router stores before it reloads because of missing code, once per message. */
const ROUTER_RELOADED = "tanstack_router_reload:";

/**
 * Calls `onMissing` when a chunk fails to load. After a release, an open page requests chunks of the previous build,
 * which no longer exist; `onMissing` checks the build and reloads. The router's unconditional reload is disabled, because
 * without a network it would lose the page.
 *
 * A screen that fails to preload is ignored: a reload between hovering over a link and clicking it would lose the click.
 * If the consumer follows the link, its screen handles the error.
 */
export function watchMissingCode(router: Pick<AnyRouter, "preloadRoute">, onMissing: () => void): () => void {
  let preloads = 0;
  const { preloadRoute } = router;
  router.preloadRoute = (options) => {
    preloads += 1;
    return preloadRoute(options).finally(() => {
      preloads -= 1;
    });
  };
  const handleError = ({ payload }: VitePreloadErrorEvent) => {
    sessionStorage.setItem(ROUTER_RELOADED + payload.message, "1");
    if (preloads === 0) onMissing();
  };
  window.addEventListener("vite:preloadError", handleError);
  return () => {
    router.preloadRoute = preloadRoute;
    window.removeEventListener("vite:preloadError", handleError);
  };
}
