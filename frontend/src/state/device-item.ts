import { useSyncExternalStore } from "react";
import { type GenericSchema, integer, number, object, parse, pipe, unknown } from "valibot";

/**
 * A value stored on the device: held in memory, written to local storage on change, validated when restored and shared
 * between tabs. A stored value that does not match the schema or version is dropped.
 */
export interface DeviceItem<Value> {
  get(): Value;
  set(next: Value | ((now: Value) => Value)): void;
  /** Restores the initial value and deletes the stored one. */
  clear(): void;
  subscribe(listener: () => void): () => void;
}

interface Options<Value> {
  /** The key in local storage, without the product's prefix. */
  key: string;
  /** Increase when the format changes; older values are then migrated or dropped. */
  version: number;
  schema: GenericSchema<unknown, Value>;
  initial: NoInfer<Value>;
  /** Converts a value of an older version; the result is validated. */
  migrate?: (value: unknown, version: number) => unknown;
}

const PREFIX = "order-ahead.";
const envelope = object({ version: pipe(number(), integer()), value: unknown() });

export function deviceItem<Value>(options: Options<Value>): DeviceItem<Value> {
  const storageKey = PREFIX + options.key;
  const listeners = new Set<() => void>();
  let value = restore(storageKey, options);

  const notify = () => {
    for (const listener of listeners) listener();
  };

  // Another tab wrote a newer value.
  window.addEventListener("storage", (event) => {
    if (event.key !== storageKey && event.key !== null) return;
    value = restore(storageKey, options);
    notify();
  });

  // A page in the back/forward cache gets no events of other tabs.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    value = restore(storageKey, options);
    notify();
  });

  return {
    get: () => value,
    set(next) {
      const updated = typeof next === "function" ? (next as (now: Value) => Value)(value) : next;
      if (Object.is(updated, value)) return;
      value = updated;
      store(storageKey, JSON.stringify({ version: options.version, value }));
      notify();
    },
    clear() {
      value = options.initial;
      store(storageKey, null);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Subscribes the component to the item. */
export function useItem<Value>(item: DeviceItem<Value>): Value {
  return useSyncExternalStore(item.subscribe, item.get, item.get);
}

function restore<Value>(storageKey: string, { version, schema, initial, migrate }: Options<Value>): Value {
  try {
    const stored = localStorage.getItem(storageKey);
    if (stored === null) return initial;
    const outer = parse(envelope, JSON.parse(stored));
    if (outer.version === version) return parse(schema, outer.value);
    return migrate ? parse(schema, migrate(outer.value, outer.version)) : initial;
  } catch {
    return initial;
  }
}

/** If storage is full or blocked, the value lasts as long as the page; the storage gate informs the consumer. */
function store(storageKey: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, text);
  } catch {}
}
