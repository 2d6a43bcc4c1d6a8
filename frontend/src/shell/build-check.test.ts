import { beforeEach, expect, it, vi } from "vitest";
import { answers, refusesGet, server } from "@/testing/server";

const builds = (buildId: string) => server.use(answers("/api/build", { buildId }));

async function loadedWith(buildId: string) {
  document.head.innerHTML = `<meta name="build-id" content="${buildId}">`;
  vi.resetModules();
  return (await import("./build-check")).checkBuild;
}

let reload: () => void;
beforeEach(() => {
  reload = vi.fn();
});

it("reloads when the server has another build, at most once for each", async () => {
  const checkBuild = await loadedWith("one");
  builds("one");
  await checkBuild(reload);
  expect(reload).not.toHaveBeenCalled();
  builds("two");
  await checkBuild(reload);
  await checkBuild(reload);
  expect(reload).toHaveBeenCalledOnce();
  builds("three");
  await checkBuild(reload);
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
  server.use(refusesGet("/api/build", { status: 503 }));
  await checkBuild(reload);
  expect(reload).not.toHaveBeenCalled();
});
