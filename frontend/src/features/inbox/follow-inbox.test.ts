import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followConsumer } from "@/lib/consumer-stream";
import { offerKeys, sessionKeys, sessionQuery, unseenCountQuery, walletKeys } from "@/shell/queries";
import { MockEventSource } from "@/testing/event-source";
import { maya } from "@/testing/render-route";
import { followInbox } from "./follow-inbox";

let stop = () => {};

beforeEach(() => MockEventSource.install());

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const isOpen = () => MockEventSource.opened.some(({ readyState }) => readyState !== MockEventSource.CLOSED);

it("follows the inbox of the signed-in consumer until the sign-out", () => {
  const queryClient = new QueryClient();
  stop = followInbox(queryClient);
  expect(MockEventSource.opened).toEqual([]);
  queryClient.setQueryData(sessionQuery.queryKey, maya);
  const [stream] = MockEventSource.opened;
  stream?.connect();
  stream?.emit("inbox", { unseen: 4 });
  expect(queryClient.getQueryData(unseenCountQuery.queryKey)).toBe(4);
  stream?.emit("inbox", { unseen: "many" });
  expect(queryClient.getQueryData(unseenCountQuery.queryKey)).toBe(4);
  queryClient.setQueryData(sessionQuery.queryKey, null);
  expect(isOpen()).toBe(false);
});

it("shares one connection with other listeners", () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionQuery.queryKey, maya);
  stop = followInbox(queryClient);
  const snapshot = vi.fn();
  const leave = followConsumer({ onEvent: { snapshot } });
  const open = MockEventSource.opened.filter(({ readyState }) => readyState !== MockEventSource.CLOSED);
  expect(open).toHaveLength(1);
  open[0]?.emit("snapshot", { orders: [] });
  open[0]?.emit("inbox", { unseen: 2 });
  expect(snapshot).toHaveBeenCalledOnce();
  expect(queryClient.getQueryData(unseenCountQuery.queryKey)).toBe(2);
  leave();
  expect(isOpen()).toBe(true);
});

it("updates the offers and points, which an order changes with its message", () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionQuery.queryKey, maya);
  const rewards = [offerKeys.list({}), walletKeys.points, walletKeys.myJoe];
  for (const queryKey of rewards) queryClient.setQueryData(queryKey, {});
  stop = followInbox(queryClient);
  const [stream] = MockEventSource.opened;
  stream?.connect();
  stream?.emit("inbox", { unseen: 1 });
  for (const queryKey of [...rewards, sessionKeys.profile])
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
