import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { makeOrder } from "@/testing/order";
import { orderQuery } from "./queries";
import { REOPEN_MS, useLiveOrders } from "./use-live-orders";

/** The browser's side of a stream: it connects again by itself where one broke, and gives up where one was refused. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Source[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    Source.opened.push(this);
  }

  opens() {
    this.readyState = 1;
    act(() => void this.dispatchEvent(new Event("open")));
  }

  breaks() {
    this.readyState = 0;
    act(() => void this.dispatchEvent(new Event("error")));
  }

  isRefused() {
    this.readyState = Source.CLOSED;
    act(() => void this.dispatchEvent(new Event("error")));
  }

  close() {
    this.readyState = Source.CLOSED;
  }
}

beforeEach(() => {
  Source.opened = [];
  vi.stubGlobal("EventSource", Source);
  vi.useFakeTimers();
});

function follow() {
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return { queryClient, ...renderHook(() => useLiveOrders(true), { wrapper }) };
}

const source = (at: number) => Source.opened.at(at) as Source;

it("leaves asking to the screens while a stream is refused, and tries for one again", () => {
  const { result, unmount } = follow();
  source(0).isRefused();
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(REOPEN_MS - 1));
  expect(Source.opened).toHaveLength(1);
  act(() => void vi.advanceTimersByTime(1));
  expect(Source.opened).toHaveLength(2);
  source(1).opens();
  expect(result.current).toBe(true);
  source(1).isRefused();
  expect(result.current).toBe(false);
  unmount();
  vi.advanceTimersByTime(2 * REOPEN_MS);
  expect(Source.opened).toHaveLength(2);
});

it("leaves a stream that broke to the browser", () => {
  const { result, unmount } = follow();
  source(0).opens();
  source(0).breaks();
  expect(result.current).toBe(false);
  vi.advanceTimersByTime(2 * REOPEN_MS);
  expect(Source.opened).toHaveLength(1);
  source(0).opens();
  expect(result.current).toBe(true);
  unmount();
  expect(source(0).readyState).toBe(Source.CLOSED);
});

it("writes what the stream says into the cache", () => {
  const { queryClient } = follow();
  const order = makeOrder("Ready", { version: 7 });
  const say = (event: string, data: unknown) =>
    act(() => void source(0).dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) })));
  say("snapshot", { orders: [order] });
  say("order", { ...order, version: 6 });
  expect(queryClient.getQueryData(orderQuery(order.orderId).queryKey)).toEqual(order);
});
