import { device } from "./device";
import type { DeviceItem } from "./device-item";

/**
 * Client state that is lost when the page closes (specification section 3, "Other client state"), for what should not stay
 * on the device: who receives a gift, for example. It is cleared when another consumer signs in, and on sign-out.
 */
export function personalItem<Value>(initial: Value): DeviceItem<Value> {
  const listeners = new Set<() => void>();
  let value = initial;
  let owner: string | undefined;
  const change = (next: Value) => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of listeners) listener();
  };
  device.user.subscribe(() => {
    if (owner !== undefined && device.user.get()?.id !== owner) change(initial);
  });
  return {
    get: () => value,
    set(next) {
      owner = device.user.get()?.id;
      change(typeof next === "function" ? (next as (now: Value) => Value)(value) : next);
    },
    clear: () => change(initial),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
