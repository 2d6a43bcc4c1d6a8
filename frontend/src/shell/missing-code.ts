import type { AnyRouter } from "@tanstack/react-router";
import { isMissingCode } from "@/api/errors";

/** The key that the router stores before it reloads because of missing code, once per message. */
const ROUTER_RELOADED = "tanstack_router_reload:";

let checkMissing = (): void => undefined;

/**
 * Loads code that the consumer waits for, such as a sheet. If it is missing, the build is checked, also while a screen preloads: the
 * event of the build does not state whose code is missing.
 */
export async function loadCode<Module>(importModule: () => Promise<Module>): Promise<Module> {
  try {
    return await importModule();
  } catch (error) {
    if (isMissingCode(error)) checkMissing();
    throw error;
  }
}

/**
 * Calls `onMissing` when a chunk fails to load. After a release, an open page requests chunks of the previous build,
 * which no longer exist; `onMissing` checks the build and reloads. The router's unconditional reload is disabled, because
 * without a network it would lose the page.
 *
 * A screen that fails to preload is ignored: a reload between hovering over a link and clicking it would lose the click.
 * If the consumer follows the link, its screen handles the error. Other code that fails during a preload is reported by {@link loadCode},
 * or requested again by `deferModule`.
 */
export function watchMissingCode(router: Pick<AnyRouter, "preloadRoute">, onMissing: () => void): () => void {
  checkMissing = onMissing;
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
