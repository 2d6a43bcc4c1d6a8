import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { watchMissingCode } from "./missing-code";
import { modals } from "./modals";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const onMissing = vi.fn();
beforeEach(() => onMissing.mockClear());

/** Fails like the loader of the build: dispatches the event, then throws. */
async function missingChunk(): Promise<never> {
  const error = new TypeError("Failed to fetch dynamically imported module: /assets/RateOrderSheet-1.js");
  window.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: error }));
  throw error;
}

const openSheet = (module: () => Promise<never>) => modals.load("rate-order", module, {});

/** Watches a router whose preloads load this code. */
function watch(preload: () => Promise<undefined>) {
  const router = { preloadRoute: preload };
  onTestFinished(watchMissingCode(router, onMissing));
  return router as { preloadRoute: () => Promise<undefined> };
}

it("checks the build for the code of a sheet", async () => {
  watch(async () => undefined);
  await openSheet(missingChunk);
  expect(onMissing).toHaveBeenCalled();
});

it("checks the build for the code of a sheet while a screen preloads", async () => {
  const router = watch(() => new Promise(() => undefined));
  void router.preloadRoute();
  await openSheet(missingChunk);
  expect(onMissing).toHaveBeenCalled();
});

it("ignores the code of a screen that preloads", async () => {
  const router = watch(async () => missingChunk().catch(() => undefined));
  await router.preloadRoute();
  expect(onMissing).not.toHaveBeenCalled();
});

it("ignores a sheet that fails for another reason", async () => {
  watch(async () => undefined);
  await openSheet(async () => {
    throw new Error("a bug in the module");
  });
  expect(onMissing).not.toHaveBeenCalled();
});
