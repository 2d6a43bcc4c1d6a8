import { vi } from "vitest";

/** Collects the callbacks of the timers with this delay, which do not run by themselves. */
export function holdTimers(delay: number): (() => void)[] {
  const held: (() => void)[] = [];
  const { setTimeout } = globalThis;
  const hold = (callback: () => void, ms?: number, ...values: []) =>
    ms === delay ? held.push(callback) : setTimeout(callback, ms, ...values);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof setTimeout);
  return held;
}
