/** The key that the router stores before it reloads because of missing code, once per message. */
const ROUTER_RELOADED = "tanstack_router_reload:";

/**
 * Calls `onMissing` when a chunk fails to load. After a release, an open page requests chunks of the previous build,
 * which no longer exist; `onMissing` checks the build and reloads. The router's unconditional reload is disabled, because
 * without a network it would lose the page.
 */
export function watchMissingCode(onMissing: () => void): () => void {
  const handleError = ({ payload }: VitePreloadErrorEvent) => {
    sessionStorage.setItem(ROUTER_RELOADED + payload.message, "1");
    onMissing();
  };
  window.addEventListener("vite:preloadError", handleError);
  return () => window.removeEventListener("vite:preloadError", handleError);
}
