import type { QueryClient } from "@tanstack/react-query";
import { get } from "@/api/client";

const RELOADED_FOR = "order-ahead.reloaded-for";

/** The build of this page. The gateway writes it into the HTML. */
let loaded = document.querySelector<HTMLMetaElement>('meta[name="build-id"]')?.content ?? "";

let checking: Promise<boolean> | undefined;

/**
 * Requests the current build and reloads if it differs from the loaded one (specification section 4). Reloads at most
 * once per build, so that neither a cache nor a partial release causes a loop. Resolves to whether the page reloads.
 */
export function checkBuild(reload: () => void): Promise<boolean> {
  checking ??= check(reload).then((reloading) => {
    // Later callers get the same result while the page reloads.
    if (!reloading) checking = undefined;
    return reloading;
  });
  return checking;
}

async function check(reload: () => void): Promise<boolean> {
  const current = await currentBuild();
  if (current === null) return false;
  // A development server writes no build into the HTML, so the first response counts as the loaded build.
  if (loaded === "") loaded = current;
  const reloadedFor = (sessionStorage.getItem(RELOADED_FOR) ?? "").split(" ");
  if (current === loaded || reloadedFor.includes(current)) return false;
  sessionStorage.setItem(RELOADED_FOR, [...reloadedFor, current].join(" ").trim());
  // The service worker would serve the reload from its cache, so update it first.
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.update().catch(() => undefined);
  reload();
  return true;
}

async function currentBuild(): Promise<string | null> {
  try {
    const { success, data } = await get("/api/build", {});
    return success ? data.buildId : null;
  } catch {
    // The next route change retries.
    return null;
  }
}

/** Reloads the page when no mutation is running, so that an order in progress gets its response first. */
export function reloadWhenIdle(queryClient: QueryClient, reload = () => location.reload()): void {
  if (queryClient.isMutating() === 0) {
    reload();
    return;
  }
  const unsubscribe = queryClient.getMutationCache().subscribe(() => {
    if (queryClient.isMutating() > 0) return;
    unsubscribe();
    reload();
  });
}
