import { useSyncExternalStore } from "react";

/** How long to wait before asking again for code that did not come. */
const AGAIN_MS = 5_000;

/** Code that a screen can start without. */
interface Later<Module> {
  /** Fetches it, once; for a screen that knows it will be wanted. Resolves either way. */
  load(): Promise<void>;
  /** The module, or undefined while it is on its way; asks for it, and again until it has come. */
  use(): Module | undefined;
}

/**
 * A module that comes after the first script. Unlike React.lazy, what is there already is drawn in the same frame,
 * without a fallback that flashes up; and what could not be fetched is asked for again, as when the network is back.
 */
export function later<Module>(get: () => Promise<Module>): Later<Module> {
  let module: Module | undefined;
  let loading: Promise<void> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<() => void>();

  const load = () => {
    loading ??= get().then(
      (got) => {
        module = got;
        for (const tell of waiting) tell();
      },
      () => {
        loading = undefined;
        clearTimeout(again);
        if (waiting.size > 0) again = setTimeout(load, AGAIN_MS);
      },
    );
    return loading;
  };

  const subscribe = (tell: () => void) => {
    waiting.add(tell);
    void load();
    return () => waiting.delete(tell);
  };

  const now = () => module;
  return { load, use: () => useSyncExternalStore(subscribe, now, now) };
}
