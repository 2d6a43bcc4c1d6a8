import { get } from "@/api/client";

const RELOADED_FOR = "order-ahead.reloaded-for";

/** The build this page was loaded from: the gateway writes it into the HTML. */
let loaded = document.querySelector<HTMLMetaElement>('meta[name="build-id"]')?.content ?? "";

/**
 * Asks the server which build is current and reloads if it is another one than was loaded (specification section 4).
 * At most once per build, so that a cache in between cannot make it a loop.
 */
export async function checkBuild(reload: () => void = () => location.reload()): Promise<void> {
  const current = await currentBuild();
  if (current === null) return;
  // A development server writes no build into the HTML: the first one heard of is the one loaded.
  if (loaded === "") loaded = current;
  if (current === loaded || sessionStorage.getItem(RELOADED_FOR) === current) return;
  sessionStorage.setItem(RELOADED_FOR, current);
  // The service worker would answer the reload with what it has: let it fetch the new build first.
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.update().catch(() => undefined);
  reload();
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
