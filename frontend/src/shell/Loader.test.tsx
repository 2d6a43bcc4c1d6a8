import { QueryClient } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Loader } from "./Loader";

const BREWING = "Your beans are brewing";

/** An app of two screens, the second of which takes as long as `wait` says. */
async function twoScreens(wait: () => Promise<void>) {
  const root = createRootRoute({ component: Loader });
  const first = createRoute({ getParentRoute: () => root, path: "/", component: () => null });
  const second = createRoute({
    getParentRoute: () => root,
    path: "/second",
    loader: wait,
    component: () => null,
  });
  const router = createRouter({
    routeTree: root.addChildren([first, second]),
    history: createMemoryHistory(),
    context: { queryClient: new QueryClient() },
  });
  // biome-ignore lint/suspicious/noExplicitAny: not the app's own router, whose type is registered
  render(<RouterProvider router={router as any} />);
  await act(() => router.load());
  return (to: string, search = {}) => act(async () => void router.navigate({ to, search } as never));
}

it("appears when a route change takes 500 ms, and goes when it is done", async () => {
  const slow = Promise.withResolvers<void>();
  const go = await twoScreens(() => slow.promise);
  vi.useFakeTimers();
  await go("/second");
  await act(() => vi.advanceTimersByTimeAsync(499));
  expect(screen.queryByText(BREWING)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(2));
  expect(screen.getByText(BREWING)).toBeTruthy();
  slow.resolve();
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.queryByText(BREWING)).toBeNull();
});

it("goes when the change fails", async () => {
  const slow = Promise.withResolvers<void>();
  const go = await twoScreens(() => slow.promise);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.useFakeTimers();
  await go("/second");
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.getByText(BREWING)).toBeTruthy();
  slow.reject(new Error("no"));
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.queryByText(BREWING)).toBeNull();
});

it("does not appear for a quick change", async () => {
  const go = await twoScreens(async () => undefined);
  vi.useFakeTimers();
  await go("/second");
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByText(BREWING)).toBeNull();
});
