import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { REOPEN_DELAY_MS } from "@/lib/event-stream";
import { MockEventSource } from "@/testing/event-source";
import { REFRESH_INTERVAL_MS, type StoreEvent, useStoreEvents } from "./use-store-events";

beforeEach(() => {
  MockEventSource.install();
  vi.useFakeTimers();
});

function renderStoreEvents() {
  const events: StoreEvent[] = [];
  return { events, ...renderHook(() => useStoreEvents("sunset", (event) => events.push(event))) };
}

function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

it("reports that the stream is open, and each change", () => {
  const { events } = renderStoreEvents();
  const [source] = MockEventSource.opened;
  expect(source?.url).toBe("/api/consumer/store/events?storeId=sunset");
  source?.connect();
  source?.emit("menu", { storeId: "sunset" });
  source?.emit("status", { storeId: "sunset" });
  act(() => void vi.advanceTimersByTime(4 * REFRESH_INTERVAL_MS));
  expect(events).toEqual(["opened", "menu", "status"]);
});

it("requests another read at an interval while the stream is rejected, until it is connected again", () => {
  const { events, unmount } = renderStoreEvents();
  MockEventSource.opened[0]?.reject();
  act(() => void vi.advanceTimersByTime(REFRESH_INTERVAL_MS));
  expect(events).toEqual(["menu", "status"]);
  act(() => void vi.advanceTimersByTime(REOPEN_DELAY_MS));
  const reopened = MockEventSource.opened[1];
  reopened?.connect();
  const count = events.length;
  act(() => void vi.advanceTimersByTime(2 * REFRESH_INTERVAL_MS));
  expect(events).toHaveLength(count);
  unmount();
  act(() => void vi.advanceTimersByTime(2 * REFRESH_INTERVAL_MS));
  expect(events).toHaveLength(count);
  expect(reopened?.readyState).toBe(MockEventSource.CLOSED);
});

it("closes the stream while the page is hidden", () => {
  const { events } = renderStoreEvents();
  MockEventSource.opened[0]?.connect();
  setVisibility("hidden");
  expect(MockEventSource.opened[0]?.readyState).toBe(MockEventSource.CLOSED);
  act(() => void vi.advanceTimersByTime(4 * REFRESH_INTERVAL_MS));
  expect(events).toEqual(["opened"]);
  setVisibility("visible");
  MockEventSource.opened[1]?.connect();
  expect(events).toEqual(["opened", "opened"]);
});
