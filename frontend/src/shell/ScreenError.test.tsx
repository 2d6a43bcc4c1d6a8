import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { NetworkError } from "@/api/errors";
import { cartItem } from "@/state/cart";
import { cart } from "@/testing/cart";
import { checkBuild } from "./build-check";
import { watchMissingCode } from "./missing-code";
import { ScreenError } from "./ScreenError";

vi.mock("./build-check", () => ({ checkBuild: vi.fn(), reloadWhenIdle: vi.fn() }));

const missing = () => new TypeError("Failed to fetch dynamically imported module: /assets/menu-1.js");

/** Fails like the loader of the build: dispatches the event, then throws. */
const missingChunk = async () => {
  const error = missing();
  window.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: error }));
  throw error;
};

const onMissing = vi.fn();
beforeEach(() => {
  // React and the router log errors that the screen handles.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

type Component = ReturnType<typeof lazyRouteComponent> | (() => null);

/** Renders a screen with this component, and returns its router. The screen at /next has the other one. */
async function open(component: () => Component, next: () => Component = () => () => null) {
  const root = createRootRoute();
  const screenAt = (path: string, of: () => Component) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: of() as () => null,
      errorComponent: ScreenError,
    });
  const router = createRouter({
    routeTree: root.addChildren([screenAt("/", component), screenAt("/next", next)]),
    history: createMemoryHistory(),
  });
  onTestFinished(watchMissingCode(router, onMissing));
  render(
    <QueryClientProvider client={new QueryClient()}>
      {/* biome-ignore lint/suspicious/noExplicitAny: the registered type is that of the app's router */}
      <RouterProvider router={router as any} />
    </QueryClientProvider>,
  );
  await act(() => router.load());
  return router;
}

it("reloads and keeps the cart when a release has replaced the code of the screen", async () => {
  cartItem.set(cart);
  vi.mocked(checkBuild).mockResolvedValue(true);
  await open(() => lazyRouteComponent(missingChunk));
  expect(await screen.findByText("Your beans are brewing")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(onMissing).toHaveBeenCalled();
  expect(cartItem.get().items).toHaveLength(1);
});

it("reloads for the code of the next screen when the consumer opens it, not when it preloads", async () => {
  vi.mocked(checkBuild).mockResolvedValue(true);
  const router = await open(
    () => () => null,
    () => lazyRouteComponent(missingChunk),
  );
  await act(() => router.preloadRoute({ to: "/next" } as never));
  expect(onMissing).not.toHaveBeenCalled();
  expect(checkBuild).not.toHaveBeenCalled();
  await act(() => router.navigate({ to: "/next" } as never));
  expect(await screen.findByText("Your beans are brewing")).toBeVisible();
  expect(checkBuild).toHaveBeenCalled();
});

it("shows an error when code is missing and there is no new release", async () => {
  vi.mocked(checkBuild).mockResolvedValue(false);
  await open(() => lazyRouteComponent(missingChunk));
  expect(await screen.findByRole("alert")).toHaveTextContent("This page didn't load.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

it("retries automatically when the network is back", async () => {
  let offline = true;
  await open(() => () => {
    if (offline) throw new NetworkError("network error");
    return null;
  });
  expect(await screen.findByRole("alert")).toHaveTextContent("You're offline.");
  offline = false;
  await act(async () => window.dispatchEvent(new Event("online")));
  expect(screen.queryByRole("alert")).toBeNull();
});
