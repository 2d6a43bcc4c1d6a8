import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { createApp } from "./router";
import { startAfterLoad } from "./shell/after-load";
import { checkBuild } from "./shell/build-check";
import { start } from "./start";
import { mockGetError, server } from "./testing/server";

vi.mock("./shell/after-load", () => ({ startAfterLoad: vi.fn() }));
vi.mock("./shell/build-check", () => ({ checkBuild: vi.fn(), reloadWhenIdle: vi.fn() }));
vi.mock("./router", async (importOriginal) => {
  const { createApp: create } = await importOriginal<typeof import("./router")>();
  return { createApp: vi.fn(create) };
});

const opened = { search: "?from=email", width: 390 };

beforeEach(() => {
  vi.clearAllMocks();
  server.use(mockGetError("/user/profile", { status: 401 }));
  window.history.replaceState(null, "", "/lp/error?from=email");
  const cover = Object.assign(document.createElement("div"), { id: "first-paint" });
  const root = Object.assign(document.createElement("div"), { id: "root" });
  document.body.append(cover, root);
  onTestFinished(() => {
    cover.remove();
    root.remove();
  });
});

const getCover = () => document.getElementById("first-paint");
const getRouter = () =>
  vi.mocked(createApp).mock.results[0]?.value.router as ReturnType<typeof createApp>["router"];

it("removes the first paint once the screen is rendered, then starts the later parts once", async () => {
  start(opened);
  expect(getCover()).not.toBeNull();
  expect(startAfterLoad).not.toHaveBeenCalled();
  await screen.findByRole("heading", { level: 1 });
  await waitFor(() => expect(getCover()).toBeNull());
  await waitFor(() => expect(startAfterLoad).toHaveBeenCalledTimes(1));
  expect(startAfterLoad).toHaveBeenCalledWith(getRouter(), expect.anything(), "?from=email", 390);
  expect(checkBuild).not.toHaveBeenCalled();
  await act(() => getRouter().navigate({ to: "/sign-in/getting-started" }));
  await waitFor(() => expect(checkBuild).toHaveBeenCalledTimes(1));
  expect(startAfterLoad).toHaveBeenCalledTimes(1);
});

it("loads the route before it renders the app", async () => {
  const states: string[] = [];
  const root = document.getElementById("root") as HTMLElement;
  const observer = new MutationObserver(() => states.push(getRouter().state.location.pathname));
  observer.observe(root, { childList: true });
  start(opened);
  const load = vi.spyOn(getRouter(), "load");
  await screen.findByRole("heading", { level: 1 });
  observer.disconnect();
  expect(states[0]).toBe("/lp/error");
  expect(load).toHaveBeenCalledWith({ sync: true });
});

it("checks the build when code is missing, but not for another rejection", async () => {
  start(opened);
  await screen.findByRole("heading", { level: 1 });
  const reject = (message: string) =>
    window.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason: new TypeError(message) }));
  reject("a bug");
  expect(checkBuild).not.toHaveBeenCalled();
  reject("Failed to fetch dynamically imported module: /assets/Sheet-1.js");
  expect(checkBuild).toHaveBeenCalled();
});
