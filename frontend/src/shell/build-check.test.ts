import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { mockGet, mockGetError, server } from "@/testing/server";

const serveBuild = (buildId: string) => server.use(mockGet("/api/build", { buildId }));

/** Simulates a page load with this build. */
async function loadPage(buildId: string) {
  document.head.innerHTML = `<meta name="build-id" content="${buildId}">`;
  vi.resetModules();
  return (await import("./build-check")).checkBuild;
}

let reload: () => void;
beforeEach(() => {
  reload = vi.fn();
});

it("reloads when the server has a different build", async () => {
  const checkBuild = await loadPage("one");
  serveBuild("one");
  expect(await checkBuild(reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  serveBuild("two");
  expect(await Promise.all([checkBuild(reload), checkBuild(reload)])).toEqual([true, true]);
  expect(await checkBuild(reload)).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
});

it("reloads at most once per build, even if a cache serves the previous page", async () => {
  serveBuild("two");
  await (await loadPage("one"))(reload);
  expect(await (await loadPage("one"))(reload)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

it("stops reloading when servers disagree about the build during a release", async () => {
  for (const [loaded, current] of [
    ["one", "two"],
    ["two", "one"],
    ["one", "two"],
    ["two", "one"],
  ] as const) {
    serveBuild(current);
    await (await loadPage(loaded))(reload);
  }
  expect(reload).toHaveBeenCalledTimes(2);
});

it("treats the first build as loaded if the HTML names none", async () => {
  const checkBuild = await loadPage("");
  serveBuild("one");
  await checkBuild(reload);
  expect(reload).not.toHaveBeenCalled();
});

it("does not reload when the server does not respond", async () => {
  const checkBuild = await loadPage("one");
  server.use(mockGetError("/api/build", { status: 503 }));
  expect(await checkBuild(reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

it("reloads after a running mutation has ended", async () => {
  const { reloadWhenIdle } = await import("./build-check");
  const queryClient = new QueryClient();
  const response = Promise.withResolvers<void>();
  const mutation = queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => response.promise })
    .execute(undefined);
  reloadWhenIdle(queryClient, reload);
  expect(reload).not.toHaveBeenCalled();
  response.resolve();
  await mutation;
  expect(reload).toHaveBeenCalledOnce();
});
