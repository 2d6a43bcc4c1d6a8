/** Queries of the shell, and the keys that several features read or invalidate. Features do not import each other. */
import { queryOptions } from "@tanstack/react-query";
import { dataOf, get, read } from "@/api/client";
import type { GetData, GetQuery } from "@/api/contract";
import { device, rememberConsumer } from "@/state/device";
import { clearPersonalCache } from "./personal-cache";

export type Profile = GetData<"/user/profile">;

export const sessionKeys = { profile: ["session"] as const };

export const orderKeys = {
  all: ["orders"] as const,
  history: ["orders", "history"] as const,
  allActive: ["orders", "active"] as const,
  active: (userId: string) => ["orders", "active", userId] as const,
  details: ["orders", "detail"] as const,
  detail: (orderId: string) => ["orders", "detail", orderId] as const,
  receipt: (orderId: string, signature: string | undefined) =>
    ["orders", "receipt", orderId, signature] as const,
  activeOne: (orderId: string, overrideDay: string) =>
    ["orders", "active-one", orderId, overrideDay] as const,
};

export const inboxKeys = {
  all: ["inbox"] as const,
  messages: ["inbox", "messages"] as const,
  unseenCount: ["inbox", "unseen-count"] as const,
};

export const walletKeys = {
  all: ["wallet"] as const,
  myJoe: ["wallet", "my-joe"] as const,
  points: ["wallet", "points"] as const,
  balances: ["wallet", "balances"] as const,
  addFunds: ["wallet", "add-funds"] as const,
  transactions: ["wallet", "transactions"] as const,
};

/** Offers and challenges. */
export const offerKeys = {
  all: ["offers"] as const,
  list: (query: GetQuery<"/user/offers">) => ["offers", "list", query] as const,
  detail: (query: GetQuery<"/user/offer">) => ["offers", "detail", query] as const,
};

/** An order that ends, and a claimed challenge, change offers, challenges and points. */
export const rewardKeys = [offerKeys.all, walletKeys.points, walletKeys.myJoe];

export const paymentMethodKeys = {
  all: ["payment-methods"] as const,
  list: (query: GetQuery<"/payments/list">) => ["payment-methods", query] as const,
};

/** Notifications, vehicle and the rule for automatic reloads. */
export const settingsKey = ["account", "settings"] as const;

export const cartKeys = {
  saved: ["saved-cart"] as const,
  data: (storeId: string) => ["saved-cart", "data", storeId] as const,
};

/** Stores the profile on the device. Returns true if the device was used by another consumer. */
export function storeProfile(profile: Profile): boolean {
  const { id, email, firstName, lastName, phone, shareCode, points } = profile;
  return rememberConsumer({ id, email, firstName, lastName, phone, shareCode, points: points ?? null });
}

/** Returns whether the sign-out is still pending after the check for a new session. */
const isSignOutPending = () =>
  import("./new-session")
    .then(({ keepNewSession }) => keepNewSession())
    .catch(() => undefined)
    .then(device.signOutPending.get);

/** The signed-in consumer, or null. A 401 is a result here, not an error. */
export const sessionQuery = queryOptions({
  queryKey: sessionKeys.profile,
  queryFn: async ({ signal }): Promise<Profile | null> => {
    if (device.signOutPending.get() && (await isSignOutPending())) return null;
    const response = await get("/user/profile", {}, { signal });
    if (response.status === 401) return null;
    const profile = dataOf(response);
    // Another consumer's session may have been handed over to this device.
    if (storeProfile(profile)) await clearPersonalCache();
    return profile;
  },
  staleTime: 5 * 60_000,
});

/** The cart saved for a store, priced now, with what changed since it was saved. */
export const cartDataQuery = (storeId: string) =>
  queryOptions({
    queryKey: cartKeys.data(storeId),
    queryFn: ({ signal }) => read("/cart/data", { storeId }, { signal }),
  });

/** The consumer's orders from Scheduled to Ready, for the dot in the navigation and for home. */
export const activeOrdersQuery = (userId: string) =>
  queryOptions({
    queryKey: orderKeys.active(userId),
    queryFn: ({ signal }) => read("/order/active-orders", { userId }, { signal }),
    // The order screen has a live stream. Elsewhere the dot may be a minute old.
    refetchInterval: 60_000,
  });

export const unseenCountQuery = queryOptions({
  queryKey: inboxKeys.unseenCount,
  queryFn: async ({ signal }) => (await read("/inbox/list", { take: 1, skip: 0 }, { signal })).unseen,
  refetchInterval: 60_000,
});
