import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { device } from "@/state/device";
import { renderRoute } from "@/testing/render-route";
import { startAfterLoad } from "./after-load";
import { modals } from "./modals";
import * as orderedCart from "./ordered-cart";

let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // Shown before, so that it does not show here.
  device.lastSmartBanner.set("2026-01-01");
});
afterEach(() => stop());

it("updates the reward indicator at the start and after each route change, also of the search parameters only", async () => {
  vi.setSystemTime(new Date(2026, 10, 23, 23, 59));
  const { router, queryClient } = await renderRoute("/lp/error");
  stop = startAfterLoad(router, queryClient, "");
  expect(device.rewardIndicator.get()).toEqual({ day: "2026-11-23", shows: true });

  vi.setSystemTime(new Date(2026, 10, 24, 0, 1));
  router.history.push("/lp/error?from=email");
  await waitFor(() => expect(device.rewardIndicator.get()).toEqual({ day: "2026-11-24", shows: false }));

  vi.setSystemTime(new Date(2026, 10, 25, 0, 1));
  router.history.push("/sign-in/getting-started");
  await waitFor(() => expect(device.rewardIndicator.get()).toEqual({ day: "2026-11-25", shows: true }));
});

it("closes open modals when another screen opens, but not when only the search parameters change", async () => {
  const { router, queryClient } = await renderRoute("/lp/error");
  stop = startAfterLoad(router, queryClient, "");
  act(() => modals.open("problem", "We have a problem"));
  await act(() => router.navigate({ to: ".", search: { from: "email" } as never }));
  expect(modals.isOpen("problem")).toBe(true);
  act(() => router.history.push("/sign-in/getting-started"));
  await waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
  expect(modals.isOpen()).toBe(false);
  expect(document.documentElement).not.toHaveAttribute("data-scroll-locked");
});

it("starts nothing more after its end", async () => {
  const follow = vi.spyOn(orderedCart, "followOrderedCart");
  const { router, queryClient } = await renderRoute("/lp/error");
  startAfterLoad(router, queryClient, "")();
  stop = startAfterLoad(router, queryClient, "");
  await waitFor(() => expect(follow).toHaveBeenCalled());
  expect(follow).toHaveBeenCalledOnce();
});
