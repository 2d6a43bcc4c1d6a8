import type { Store } from "./queries";

/** Shortens the hours of the store: "Open till 8 PM", "Open 24 hours", "Opens at 6:00 AM". */
export function formatHours({ hoursToday }: Pick<Store, "hoursToday">): string {
  return hoursToday.replace("Open until", "Open till").replace(/:00 (AM|PM)/, " $1");
}

/** "14 stores near you". If there are more: "Nearest 40 stores", or "Showing 40 stores" without a position. */
export function formatStoreCount(count: number, located: boolean, hasMore: boolean): string {
  if (hasMore) return located ? `Nearest ${count} stores` : `Showing ${count} stores`;
  const stores = count === 1 ? "1 store" : `${count} stores`;
  return located ? `${stores} near you` : stores;
}

/** Returns whether the store has no opening hours yet, so that it is neither open nor closed. */
export const hasUnknownHours = ({
  openState,
  nextChangeAt,
  week,
}: Pick<Store, "openState" | "nextChangeAt" | "week">): boolean =>
  openState === "closed" &&
  nextChangeAt === null &&
  week.every(({ opensMinute, closesMinute }) => opensMinute === closesMinute);
