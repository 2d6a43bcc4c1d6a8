import { useSyncExternalStore } from "react";

const RETRY_DELAY_MS = 5_000;

/** A module that a screen can render without. */
interface DeferredModule<Module> {
  /** Preloads the module. Resolves on failure, too. */
  load(): Promise<void>;
  /** Hook: returns the module, or undefined while it loads. Retries until it is loaded. Without `isNeeded` it does not load it. */
  use(isNeeded?: boolean): Module | undefined;
}

/**
 * Defers loading of a module until it is used. Unlike React.lazy, a loaded module renders in the same frame without a flash of
 * the fallback, and a failed download is retried.
 */
export function deferModule<Module>(importModule: () => Promise<Module>): DeferredModule<Module> {
  let module: Module | undefined;
  let loading: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const load = () => {
    loading ??= importModule().then(
      (loaded) => {
        module = loaded;
        for (const notify of listeners) notify();
      },
      () => {
        loading = undefined;
        clearTimeout(retry);
        if (listeners.size > 0) retry = setTimeout(load, RETRY_DELAY_MS);
      },
    );
    return loading;
  };

  const subscribe = (notify: () => void) => {
    listeners.add(notify);
    void load();
    return () => listeners.delete(notify);
  };

  const current = () => module;
  return {
    load,
    use: (isNeeded = true) =>
      useSyncExternalStore(isNeeded ? subscribe : subscribeToNothing, current, current),
  };
}

const subscribeToNothing = () => () => {};
