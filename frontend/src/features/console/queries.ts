import { queryOptions } from "@tanstack/react-query";
import { dataOf, get, read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type StaffSession = GetData<"/store-api/staff/session">;
export type StoreOrder = GetData<"/store-api/queue">["orders"][number];

const POLL_INTERVAL_MS = 4_000;
/** With the live stream. Finds what the device missed. */
const LIVE_POLL_INTERVAL_MS = 30_000;
const PAGE_SIZE = 100;

export const consoleKeys = {
  session: ["console", "session"] as const,
  menu: (storeId: string) => ["console", "menu", storeId] as const,
  queue: (storeId: string) => ["console", "queue", storeId] as const,
};

/** The store of the signed-in staff; null if nobody is signed in. */
export const staffSessionQuery = queryOptions({
  queryKey: consoleKeys.session,
  queryFn: async ({ signal }): Promise<StaffSession | null> => {
    const response = await get("/store-api/staff/session", {}, { signal });
    return response.status === 401 ? null : dataOf(response);
  },
  // Somebody else may pause the store.
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

export interface StoreItem {
  itemId: string;
  name: string;
  soldOut: boolean;
}

/** The items of the store's menu, in the order of the menu. */
export const storeMenuQuery = (storeId: string) =>
  queryOptions({
    queryKey: consoleKeys.menu(storeId),
    queryFn: async ({ signal }): Promise<StoreItem[]> => {
      const { sections } = await read("/store/menu", { storeId }, { signal });
      return sections.flatMap(({ items }) =>
        items.map(({ itemId, name, soldOut }) => ({ itemId, name, soldOut })),
      );
    },
    staleTime: 0,
  });
