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
import { WithLoader } from "./Loader";

const STARTING = "Personalizing your coffee ordering experience.....";
const BREWING = "Your beans are brewing";

/** Renders an app with two screens. The loader of the second one runs `load`. */
async function renderTwoScreens(load: () => Promise<void>) {
  const render = renderScreens(async () => undefined, load);
  await act(() => render.load());
  return (to: string, search = {}) => act(async () => void render.navigate({ to, search } as never));
}

function renderScreens(loadFirst: () => Promise<void>, load: () => Promise<void>, isStarted = false) {
  const root = createRootRoute({});
  const first = createRoute({
    getParentRoute: () => root,
    path: "/",
    loader: loadFirst,
    component: () => null,
  });
  const second = createRoute({
    getParentRoute: () => root,
    path: "/second",
    loader: load,
    component: () => null,
  });
  const router = createRouter({
    routeTree: root.addChildren([first, second]),
    history: createMemoryHistory(),
    context: { queryClient: new QueryClient() },
    InnerWrap: WithLoader,
  });
  if (isStarted) void router.load();
  // biome-ignore lint/suspicious/noExplicitAny: the registered type is that of the app's router
  render(<RouterProvider router={router as any} />);
  return router;
}

it.each([
  ["rendered", false],
  ["started", true],
])("shows another message while the app starts, 500 ms after it is %s", async (_, isStarted) => {
  const slow = Promise.withResolvers<void>();
  vi.useFakeTimers();
  renderScreens(
    () => slow.promise,
    async () => undefined,
    isStarted,
  );
  await act(() => vi.advanceTimersByTimeAsync(499));
  expect(screen.queryByText(STARTING)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(2));
  expect(screen.getByText(STARTING)).toBeTruthy();
  slow.resolve();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByText(STARTING)).toBeNull();
});

it("does not appear when only the search parameters change", async () => {
  const navigate = await renderTwoScreens(async () => undefined);
  vi.useFakeTimers();
  await navigate("/", { q: "oat" });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByText(BREWING)).toBeNull();
});

it("appears after 500 ms and disappears when the route change completes", async () => {
  const slow = Promise.withResolvers<void>();
  const navigate = await renderTwoScreens(() => slow.promise);
  vi.useFakeTimers();
  await navigate("/second");
  await act(() => vi.advanceTimersByTimeAsync(499));
  expect(screen.queryByText(BREWING)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(2));
  expect(screen.getByText(BREWING)).toBeTruthy();
  slow.resolve();
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.queryByText(BREWING)).toBeNull();
});

it("disappears when the route change fails", async () => {
  const slow = Promise.withResolvers<void>();
  const navigate = await renderTwoScreens(() => slow.promise);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.useFakeTimers();
  await navigate("/second");
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.getByText(BREWING)).toBeTruthy();
  slow.reject(new Error("no"));
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.queryByText(BREWING)).toBeNull();
});

it("does not appear for a fast route change", async () => {
  const navigate = await renderTwoScreens(async () => undefined);
  vi.useFakeTimers();
  await navigate("/second");
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByText(BREWING)).toBeNull();
});
