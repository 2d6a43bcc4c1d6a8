import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { mockGet, mockGetError, server } from "@/testing/server";

const builds = (buildId: string) => server.use(mockGet("/api/build", { buildId }));

/** A page that was loaded from this build: a reload makes another one. */
async function loadedWith(buildId: string) {
  document.head.innerHTML = `<meta name="build-id" content="${buildId}">`;
  vi.resetModules();
  return (await import("./build-check")).checkBuild;
}

let reload: () => void;
beforeEach(() => {
  reload = vi.fn();
});

it("reloads when the server has another build", async () => {
  const checkBuild = await loadedWith("one");
  builds("one");
  expect(await checkBuild(reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
  builds("two");
  expect(await Promise.all([checkBuild(reload), checkBuild(reload)])).toEqual([true, true]);
  expect(await checkBuild(reload)).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
});

it("reloads at most once for each build, as where a cache in between keeps the page of the one before", async () => {
  builds("two");
  await (await loadedWith("one"))(reload);
  expect(await (await loadedWith("one"))(reload)).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

it("ends where a release is half out, and each side says something else", async () => {
  for (const [loaded, current] of [
    ["one", "two"],
    ["two", "one"],
    ["one", "two"],
    ["two", "one"],
  ] as const) {
    builds(current);
    await (await loadedWith(loaded))(reload);
  }
  expect(reload).toHaveBeenCalledTimes(2);
});

it("takes the first build it hears of for its own where the HTML names none", async () => {
  const checkBuild = await loadedWith("");
  builds("one");
  await checkBuild(reload);
  expect(reload).not.toHaveBeenCalled();
});

it("does nothing where the server cannot say", async () => {
  const checkBuild = await loadedWith("one");
  server.use(mockGetError("/api/build", { status: 503 }));
  expect(await checkBuild(reload)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

it("lets an order that is being placed get its answer first", async () => {
  const { reloadWhenIdle } = await import("./build-check");
  const queryClient = new QueryClient();
  const answer = Promise.withResolvers<void>();
  const placing = queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => answer.promise })
    .execute(undefined);
  reloadWhenIdle(queryClient, reload);
  expect(reload).not.toHaveBeenCalled();
  answer.resolve();
  await placing;
  expect(reload).toHaveBeenCalledOnce();
});
