import { queryOptions } from "@tanstack/react-query";
import { dataOf, get, read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { withId } from "./with-id";

export type StaffSession = GetData<"/store-api/staff/session">;
export type StoreOrder = GetData<"/store-api/queue">["orders"][number];
export type StoreMenu = GetData<"/store-api/stores/{id}/menu">;
export type Schedule = GetData<"/store-api/stores/{id}/schedule">;
export type ScheduledOrders = GetData<"/store-api/stores/{id}/scheduled-orders">;
export type LoadSlot = GetData<"/store-api/stores/{id}/load">["slots"][number];

const POLL_INTERVAL_MS = 4_000;
/** How often figures, scheduled orders and the schedule are read again. */
const FIGURES_INTERVAL_MS = 30_000;
/** With the live stream. Finds what the device missed. */
const LIVE_POLL_INTERVAL_MS = 30_000;
const PAGE_SIZE = 100;

export const consoleKeys = {
  session: ["console", "session"] as const,
  menu: (storeId: string) => ["console", "menu", storeId] as const,
  /** The switches that are being sent. */
  soldOut: ["console", "sold-out"] as const,
  schedule: (storeId: string) => ["console", "schedule", storeId] as const,
  scheduled: (storeId: string) => ["console", "scheduled", storeId] as const,
  summary: (storeId: string) => ["console", "summary", storeId] as const,
  load: (storeId: string) => ["console", "load", storeId] as const,
  pickupTimes: (storeId: string) => ["console", "pickup-times", storeId] as const,
  queue: (storeId: string) => ["console", "queue", storeId] as const,
};

/** The store of the signed-in staff; null if signed out. */
export const staffSessionQuery = queryOptions({
  queryKey: consoleKeys.session,
  queryFn: async ({ signal }): Promise<StaffSession | null> => {
    const response = await get("/store-api/staff/session", {}, { signal });
    return response.status === 401 ? null : dataOf(response);
  },
  // Other staff may pause the store.
  refetchInterval: 60_000,
});

/** All orders that the store has to act on. The live stream writes into this query. */
export const queueQuery = (storeId: string, isLive = false) =>
  queryOptions({
    queryKey: consoleKeys.queue(storeId),
    queryFn: async ({ signal }): Promise<StoreOrder[]> => {
      const orders: StoreOrder[] = [];
      let cursor: string | undefined;
      do {
        const query = { storeId, take: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
        const page = await read("/store-api/queue", query, { signal });
        orders.push(...page.orders);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return orders;
    },
    staleTime: 0,
    refetchInterval: isLive ? LIVE_POLL_INTERVAL_MS : POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
  });

/** The menu with all that can be sold out. */
export const storeMenuQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.menu(storeId),
    queryFn: ({ signal }) => read(withId("/store-api/stores/{id}/menu", storeId), {}, { signal }),
    staleTime: 0,
  });

/** Opening hours, special days and baristas. Read again, because the store's day ends while the page stays open. */
export const scheduleQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.schedule(storeId),
    queryFn: ({ signal }) => read(withId("/store-api/stores/{id}/schedule", storeId), {}, { signal }),
    staleTime: 0,
    refetchInterval: FIGURES_INTERVAL_MS,
  });

/** Orders for a later time. Those outside the opening hours need a decision. */
export const scheduledOrdersQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.scheduled(storeId),
    queryFn: ({ signal }) => read(withId("/store-api/stores/{id}/scheduled-orders", storeId), {}, { signal }),
    staleTime: 0,
    refetchInterval: FIGURES_INTERVAL_MS,
  });

/** What the store made today. */
export const summaryQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.summary(storeId),
    queryFn: ({ signal }) => read(withId("/store-api/stores/{id}/summary", storeId), {}, { signal }),
    staleTime: 0,
    refetchInterval: FIGURES_INTERVAL_MS,
  });

/** The reserved make time of the next hour. */
export const loadQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.load(storeId),
    queryFn: ({ signal }) => read(withId("/store-api/stores/{id}/load", storeId), {}, { signal }),
    staleTime: 0,
    refetchInterval: FIGURES_INTERVAL_MS,
  });

/** Times to which a scheduled order can move. */
export const pickupTimesQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.pickupTimes(storeId),
    queryFn: ({ signal }) => read("/store/pickup-options", { storeId }, { signal }),
    staleTime: 0,
    select: ({ slots }) => slots,
  });
