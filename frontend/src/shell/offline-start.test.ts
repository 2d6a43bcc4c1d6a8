import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { pages } from "./pages";

/** Runs the part of the service worker with these caches, and installs it. */
async function install(add: (cache: string, address: string) => Promise<void>): Promise<void> {
  const listeners = new Map<string, (event: { waitUntil(work: Promise<void>): void }) => void>();
  const worker = { addEventListener: listeners.set.bind(listeners) };
  const caches = { open: async (name: string) => ({ add: (address: string) => add(name, address) }) };
  // The file is a script, not a module.
  new Function("self", "caches", readFileSync("public/offline-start.js", "utf8"))(worker, caches);
  let work: Promise<void> | undefined;
  listeners.get("install")?.({ waitUntil: (promise) => (work = promise) });
  await work;
}

it("caches the page and the data of home when the worker is installed", async () => {
  const add = vi.fn(async () => undefined);
  await install(add);
  const data = (pages["/"]?.preload ?? []).map((call) => ["menu", `/api/consumer${call}`]);
  expect(add.mock.calls).toEqual([["page", "/"], ...data]);
});

it("is installed without network", async () => {
  await expect(install(() => Promise.reject(new Error("network error")))).resolves.toBeUndefined();
});
