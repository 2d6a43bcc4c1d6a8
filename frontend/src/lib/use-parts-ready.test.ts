import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { holdTimers } from "@/testing/hold-timers";
import { MAX_WAIT_MS, usePartsReady } from "./use-parts-ready";

const loading = { isLoading: true, failureCount: 0 };
const loaded = { isLoading: false, failureCount: 0 };

it("waits until each part has loaded, and then stays ready", () => {
  holdTimers(MAX_WAIT_MS);
  const { result, rerender } = renderHook(usePartsReady, { initialProps: [loading, loaded] });
  expect(result.current).toBe(false);
  rerender([loaded, loaded]);
  expect(result.current).toBe(true);
  rerender([loading, loaded]);
  expect(result.current).toBe(true);
});

it("does not wait for a part whose call has failed and is repeated", () => {
  const { result } = renderHook(() => usePartsReady([{ isLoading: true, failureCount: 1 }, loaded]));
  expect(result.current).toBe(true);
});

it("does not wait for a slow part", () => {
  const waits = holdTimers(MAX_WAIT_MS);
  const { result } = renderHook(() => usePartsReady([loading, loaded]));
  expect(result.current).toBe(false);
  act(() => waits.at(-1)?.());
  expect(result.current).toBe(true);
});
