import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { REOPEN_DELAY_MS } from "@/lib/event-stream";
import { MockEventSource } from "@/testing/event-source";
import { makeOrder } from "@/testing/order";
import { type Order, orderQuery } from "./queries";
import { useLiveOrders } from "./use-live-orders";

beforeEach(() => {
  MockEventSource.install();
  vi.useFakeTimers();
});

function renderLiveOrders() {
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return { queryClient, ...renderHook(() => useLiveOrders(true), { wrapper }) };
}

const source = (index: number) => MockEventSource.opened.at(index) as MockEventSource;

it("reports no connection and reopens a rejected stream after a delay", () => {
  const { result, unmount } = renderLiveOrders();
  source(0).reject();
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(REOPEN_DELAY_MS - 1));
  expect(MockEventSource.opened).toHaveLength(1);
  act(() => void vi.advanceTimersByTime(1));
  expect(MockEventSource.opened).toHaveLength(2);
  source(1).connect();
  expect(result.current).toBe(true);
  source(1).reject();
  expect(result.current).toBe(false);
  unmount();
  vi.advanceTimersByTime(2 * REOPEN_DELAY_MS);
  expect(MockEventSource.opened).toHaveLength(2);
});

it("does not reconnect a broken stream, because the browser does", () => {
  const { result, unmount } = renderLiveOrders();
  source(0).connect();
  source(0).disconnect();
  expect(result.current).toBe(false);
  vi.advanceTimersByTime(2 * REOPEN_DELAY_MS);
  expect(MockEventSource.opened).toHaveLength(1);
  source(0).connect();
  expect(result.current).toBe(true);
  unmount();
  expect(source(0).readyState).toBe(MockEventSource.CLOSED);
});

it("writes orders of the stream into the query cache", () => {
  const { queryClient } = renderLiveOrders();
  const order = makeOrder("Ready", { version: 7 });
  source(0).emit("snapshot", { orders: [order] });
  source(0).emit("order", { ...order, version: 6 });
  expect(queryClient.getQueryData(orderQuery(order.orderId).queryKey)).toEqual(order);
});

it("keeps an order of the stream if an older response arrives after it", async () => {
  const { queryClient } = renderLiveOrders();
  const preparing = makeOrder("Preparing");
  let respond: (order: Order) => void = () => {};
  const query = { ...orderQuery(preparing.orderId), queryFn: () => new Promise<Order>((r) => (respond = r)) };
  const request = queryClient.fetchQuery(query);
  source(0).emit("order", preparing);
  respond(makeOrder("Accepted"));
  await request;
  expect(queryClient.getQueryData(query.queryKey)).toEqual(preparing);
});

it("refetches an order that ended before the stream was connected", () => {
  const { queryClient } = renderLiveOrders();
  const placed = makeOrder("Placed", { orderId: "rejected-before" });
  const making = makeOrder("Preparing", { orderId: "making" });
  for (const order of [placed, making]) queryClient.setQueryData(orderQuery(order.orderId).queryKey, order);
  source(0).emit("snapshot", { orders: [making] });
  const isStale = ({ orderId }: typeof placed) =>
    queryClient.getQueryState(orderQuery(orderId).queryKey)?.isInvalidated;
  expect([isStale(placed), isStale(making)]).toEqual([true, false]);
});
