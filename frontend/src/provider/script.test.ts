import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ProviderFactory } from "./provider";
import { loadProvider, ScriptError } from "./script";

const keys = { scriptUrl: "https://provider.example/v1/js", publishableKey: "pk_test" };
let added: HTMLScriptElement[];
/** Whether the next element's script loads. */
let loads: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  added = [];
  vi.spyOn(document.head, "append").mockImplementation((script) => {
    added.push(script as HTMLScriptElement);
    const fine = loads.shift() ?? false;
    queueMicrotask(() => {
      if (fine) window.Stripe = ((key: string) => ({ key })) as unknown as ProviderFactory;
      (script as HTMLScriptElement).dispatchEvent(new Event(fine ? "load" : "error"));
    });
  });
});
afterEach(() => {
  delete window.Stripe;
});

it("gives up after two retries, and may be asked again", async () => {
  loads = [false, false, false, true];
  const failed = expect(loadProvider(keys)).rejects.toThrow(ScriptError);
  await vi.runAllTimersAsync();
  await failed;
  expect(added).toHaveLength(3);
  await expect(loadProvider(keys)).resolves.toEqual({ key: "pk_test" });
});
