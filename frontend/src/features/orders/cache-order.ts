import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { isActive } from "@/lib/order-status";
import { inboxKeys, orderKeys, rewardKeys } from "@/shell/queries";
import { updateReminder } from "@/state/last-order";
import { type Order, orderQuery } from "./queries";

/** Writes an order into the query cache unless the cache has a newer version, and refetches the lists of orders and what its end changes. */
export function cacheOrder(queryClient: QueryClient, order: Order): void {
  const { queryKey } = orderQuery(order.orderId);
  const cached = queryClient.getQueryData(queryKey);
  if (cached && cached.version > order.version) return;
  queryClient.setQueryData(queryKey, order);
  updateReminder(order);
  if (cached?.version === order.version) return;
  const changed: QueryKey[] = [orderKeys.allActive, orderKeys.history];
  if (!isActive(order)) changed.push(...rewardKeys);
  if (order.status === "Completed") changed.push(inboxKeys.all);
  for (const queryKey of changed) void queryClient.invalidateQueries({ queryKey });
}
