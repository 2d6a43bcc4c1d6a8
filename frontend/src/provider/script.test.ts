import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ProviderFactory } from "./provider";
import { loadProvider, ScriptError } from "./script";

const keys = { scriptUrl: "https://provider.example/v1/js", publishableKey: "pk_test" };
let added: HTMLScriptElement[];
/** Whether each next script element loads. */
let loads: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  added = [];
  vi.spyOn(document.head, "append").mockImplementation((script) => {
    added.push(script as HTMLScriptElement);
    const isLoaded = loads.shift() ?? false;
    queueMicrotask(() => {
      if (isLoaded) window.Stripe = ((key: string) => ({ key })) as unknown as ProviderFactory;
      (script as HTMLScriptElement).dispatchEvent(new Event(isLoaded ? "load" : "error"));
    });
  });
});
afterEach(() => {
  delete window.Stripe;
});

it("fails after two retries, and a later call can succeed", async () => {
  loads = [false, false, false, true];
  const failed = expect(loadProvider(keys)).rejects.toThrow(ScriptError);
  await vi.runAllTimersAsync();
  await failed;
  expect(added).toHaveLength(3);
  await expect(loadProvider(keys)).resolves.toEqual({ key: "pk_test" });
});
