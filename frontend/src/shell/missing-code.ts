/** What the router writes before it reloads for code that it could not load, once for each message. */
const ROUTER_RELOADED = "tanstack_router_reload:";

/**
 * After a release, a page that is still open asks for code of the build before, which nobody has any more. `ask` finds
 * out whether that is why, and reloads if it is: everything that a person has chosen is on the device. Without a
 * network a reload would take away the page as well, so the router's own, which does not ask, is called off.
 */
export function watchMissingCode(ask: () => void): () => void {
  const missed = ({ payload }: VitePreloadErrorEvent) => {
    sessionStorage.setItem(ROUTER_RELOADED + payload.message, "1");
    ask();
  };
  window.addEventListener("vite:preloadError", missed);
  return () => window.removeEventListener("vite:preloadError", missed);
}
