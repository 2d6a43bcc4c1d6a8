import { useInfiniteQuery } from "@tanstack/react-query";
import { pointEntriesQuery } from "./queries";

/**
 * Returns how many points were taken back from an order since it was picked up, because it was refunded. An order that used a reward has
 * an entry for its points as well, from before. Only the newest entries are known.
 */
export function useRevokedPoints(orderId: string, pickedUpAt: string | undefined): number {
  const { data } = useInfiniteQuery({ ...pointEntriesQuery, enabled: pickedUpAt !== undefined });
  if (!data || pickedUpAt === undefined) return 0;
  const revoked = data.pages
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.orderId === orderId && entry.points < 0)
    .filter(({ at }) => Date.parse(at) >= Date.parse(pickedUpAt));
  return revoked.reduce((sum, { points }) => sum - points, 0);
}
