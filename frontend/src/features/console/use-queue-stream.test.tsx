import { QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { REOPEN_DELAY_MS } from "@/lib/event-stream";
import { onTestEnd } from "@/testing/cleanups";
import { MockEventSource } from "@/testing/event-source";
import { makeStoreOrder } from "@/testing/order";
import { server } from "@/testing/server";
import { queueQuery } from "./queries";
import { useQueueStream } from "./use-queue-stream";

beforeEach(() => {
  MockEventSource.install();
  vi.useFakeTimers();
});

function renderStream() {
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const hook = renderHook(() => useQueueStream("store-sunset"), { wrapper });
  return { ...hook, queryClient, queue: () => queryClient.getQueryData(queueQuery("store-sunset").queryKey) };
}

const source = (index = 0) => MockEventSource.opened.at(index) as MockEventSource;

it("applies snapshot, changes and removals to the queue", () => {
  const { queue } = renderStream();
  const placed = makeStoreOrder("Placed", { version: 3 });
  const other = makeStoreOrder("Ready", { orderId: "order-2" });
  source().emit("snapshot", { orders: [placed, other] });
  expect(queue()).toEqual([placed, other]);
  const accepted = makeStoreOrder("Accepted", { version: 4 });
  source().emit("order", accepted);
  source().emit("order", placed);
  expect(queue()).toEqual([other, accepted]);
  source().emit("removed", { orderId: "order-2" });
  source().emit("order", makeStoreOrder("Completed", { version: 9 }));
  expect(queue()).toEqual([]);
});

it("ignores a poll that read the queue before a change of the stream", async () => {
  vi.useRealTimers();
  const placed = makeStoreOrder("Placed", { version: 3 });
  const accepted = makeStoreOrder("Accepted", { version: 4 });
  const held = Promise.withResolvers<void>();
  const reads: string[] = [];
  server.use(
    http.get("*/store-api/queue", async ({ request }) => {
      reads.push(request.url);
      const isFirst = reads.length === 1;
      if (isFirst) await held.promise;
      const data = { orders: [isFirst ? placed : accepted], nextCursor: null };
      return HttpResponse.json({ success: true, data, errors: [] });
    }),
  );
  const { queue, queryClient } = renderStream();
  source().emit("snapshot", { orders: [placed] });
  const observer = new QueryObserver(queryClient, queueQuery("store-sunset"));
  onTestEnd(observer.subscribe(() => undefined));
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  source().emit("order", accepted);
  held.resolve();
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(queue()).toEqual([accepted]);
  expect(reads).toHaveLength(2);
});

it("reopens a rejected stream after a delay and polls before", () => {
  const { result, unmount } = renderStream();
  source().connect();
  expect(result.current).toBe(true);
  source().reject();
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(REOPEN_DELAY_MS));
  expect(MockEventSource.opened).toHaveLength(2);
  unmount();
  expect(source(1).readyState).toBe(MockEventSource.CLOSED);
});
