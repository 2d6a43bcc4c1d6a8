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
import { beforeEach, expect, it, vi } from "vitest";
import { NetworkError } from "@/api/errors";
import { cartItem } from "@/state/cart";
import { cart } from "@/testing/cart";
import { checkBuild } from "./build-check";
import { watchMissingCode } from "./missing-code";
import { ScreenError } from "./ScreenError";

vi.mock("./build-check", () => ({ checkBuild: vi.fn(), reloadWhenIdle: vi.fn() }));

const missing = () => new TypeError("Failed to fetch dynamically imported module: /assets/menu-1.js");

/** As the build's own loader does it: it says so, then fails. */
const missingChunk = async () => {
  const error = missing();
  window.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: error }));
  throw error;
};

const ask = vi.fn();
beforeEach(() => {
  // React and the router tell of what the screen has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  return watchMissingCode(ask);
});

/** A screen, drawn by whatever this gives. */
async function open(component: () => ReturnType<typeof lazyRouteComponent> | (() => null)) {
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: component() as () => null,
    errorComponent: ScreenError,
  });
  const router = createRouter({ routeTree: root.addChildren([route]), history: createMemoryHistory() });
  render(
    <QueryClientProvider client={new QueryClient()}>
      {/* biome-ignore lint/suspicious/noExplicitAny: not the app's own router, whose type is registered */}
      <RouterProvider router={router as any} />
    </QueryClientProvider>,
  );
  await act(() => router.load());
}

it("loads anew, with the cart kept, where a release has replaced the screen's code", async () => {
  cartItem.set(cart);
  vi.mocked(checkBuild).mockResolvedValue(true);
  await open(() => lazyRouteComponent(missingChunk));
  expect(await screen.findByText("Your beans are brewing")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(ask).toHaveBeenCalled();
  expect(cartItem.get().items).toHaveLength(1);
});

it("says so where the code is away and nothing was released", async () => {
  vi.mocked(checkBuild).mockResolvedValue(false);
  await open(() => lazyRouteComponent(missingChunk));
  expect(await screen.findByRole("alert")).toHaveTextContent("This part of the app did not load.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

it("tries again by itself once the network is back", async () => {
  let away = true;
  await open(() => () => {
    if (away) throw new NetworkError("network error");
    return null;
  });
  expect(await screen.findByRole("alert")).toHaveTextContent("You seem to be offline.");
  away = false;
  await act(async () => window.dispatchEvent(new Event("online")));
  expect(screen.queryByRole("alert")).toBeNull();
});
