import type { QueryClient } from "@tanstack/react-query";
import { get } from "@/api/client";

const RELOADED_FOR = "order-ahead.reloaded-for";

/** The build this page was loaded from: the gateway writes it into the HTML. */
let loaded = document.querySelector<HTMLMetaElement>('meta[name="build-id"]')?.content ?? "";

let checking: Promise<boolean> | undefined;

/**
 * Asks the server which build is current and reloads if it is another one than was loaded (specification section 4).
 * At most once per build, so that neither a cache in between nor a release that is half out can make it a loop.
 * Resolves to whether a reload is on its way.
 */
export function checkBuild(reload: () => void): Promise<boolean> {
  checking ??= check(reload).then((reloading) => {
    // What asks while the page goes away already is told so, too.
    if (!reloading) checking = undefined;
    return reloading;
  });
  return checking;
}

async function check(reload: () => void): Promise<boolean> {
  const current = await currentBuild();
  if (current === null) return false;
  // A development server writes no build into the HTML: the first one heard of is the one loaded.
  if (loaded === "") loaded = current;
  const reloadedFor = (sessionStorage.getItem(RELOADED_FOR) ?? "").split(" ");
  if (current === loaded || reloadedFor.includes(current)) return false;
  sessionStorage.setItem(RELOADED_FOR, [...reloadedFor, current].join(" ").trim());
  // The service worker would answer the reload with what it has: let it fetch the new build first.
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
    // Offline or busy: the next route change asks again.
    return null;
  }
}

/** Reloads the page once nothing is under way: an order that is being placed gets its answer first. */
export function reloadWhenIdle(queryClient: QueryClient, reload = () => location.reload()): void {
  if (queryClient.isMutating() === 0) {
    reload();
    return;
  }
  const stop = queryClient.getMutationCache().subscribe(() => {
    if (queryClient.isMutating() > 0) return;
    stop();
    reload();
  });
}
