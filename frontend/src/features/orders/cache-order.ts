import type { QueryClient } from "@tanstack/react-query";
import { inboxKeys, orderKeys } from "@/shell/queries";
import { updateReminder } from "@/state/last-order";
import { type Order, orderQuery } from "./queries";

/** Writes an order into the query cache unless the cache has a newer version, and refetches the lists of orders. */
export function cacheOrder(queryClient: QueryClient, order: Order): void {
  const { queryKey } = orderQuery(order.orderId);
  const cached = queryClient.getQueryData(queryKey);
  if (cached && cached.version > order.version) return;
  queryClient.setQueryData(queryKey, order);
  updateReminder(order);
  if (cached?.version === order.version) return;
  void queryClient.invalidateQueries({ queryKey: orderKeys.allActive });
  void queryClient.invalidateQueries({ queryKey: orderKeys.history });
  if (order.status === "Completed") void queryClient.invalidateQueries({ queryKey: inboxKeys.all });
}
