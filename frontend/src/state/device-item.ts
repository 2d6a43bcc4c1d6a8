import { useSyncExternalStore } from "react";
import { anything, object, type Shape, whole } from "@/lib/shape";

/**
 * One thing the device remembers: kept in memory, written to local storage on change, validated at restore, and told
 * to every tab. What does not fit its shape or version any more is dropped, never half believed.
 */
export interface DeviceItem<Value> {
  get(): Value;
  set(next: Value | ((now: Value) => Value)): void;
  /** Back to the initial value, and out of storage. */
  clear(): void;
  subscribe(listener: () => void): () => void;
}

interface Options<Value> {
  /** The key in local storage, without the product's prefix. */
  key: string;
  /** Raise when what is stored changes its meaning; older values are then migrated or dropped. */
  version: number;
  shape: Shape<Value>;
  initial: NoInfer<Value>;
  /** Makes a value of this version of an older one's; what it returns is validated. */
  migrate?: (value: unknown, version: number) => unknown;
}

const PREFIX = "order-ahead.";
const envelope = object({ version: whole(), value: anything });

export function deviceItem<Value>(options: Options<Value>): DeviceItem<Value> {
  const storageKey = PREFIX + options.key;
  const listeners = new Set<() => void>();
  let value = restore(storageKey, options);

  const changed = () => {
    for (const listener of listeners) listener();
  };

  // Another tab changed it: its copy is the newer one.
  window.addEventListener("storage", (event) => {
    if (event.key !== storageKey && event.key !== null) return;
    value = restore(storageKey, options);
    changed();
  });

  return {
    get: () => value,
    set(next) {
      const made = typeof next === "function" ? (next as (now: Value) => Value)(value) : next;
      if (Object.is(made, value)) return;
      value = made;
      store(storageKey, JSON.stringify({ version: options.version, value }));
      changed();
    },
    clear() {
      value = options.initial;
      store(storageKey, null);
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The item's value, followed. */
export function useItem<Value>(item: DeviceItem<Value>): Value {
  return useSyncExternalStore(item.subscribe, item.get, item.get);
}

function restore<Value>(storageKey: string, { version, shape, initial, migrate }: Options<Value>): Value {
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored === null) return initial;
    const outer = envelope(JSON.parse(stored));
    if (outer.version === version) return shape(outer.value);
    return migrate ? shape(migrate(outer.value, outer.version)) : initial;
  } catch {
    return initial;
  }
}

/** Storage may be full or forbidden: the value then lives as long as the page, and the storage gate tells the person. */
function store(storageKey: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, text);
  } catch {}
}
