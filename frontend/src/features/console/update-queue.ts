import type { QueryClient } from "@tanstack/react-query";
import { isOnBoard } from "./board";
import { consoleKeys, type StoreOrder } from "./queries";

type Orders = StoreOrder[] | undefined;

/** Writes the queue. A poll that is in flight may have read it before, so it starts again. */
export function writeQueue(
  queryClient: QueryClient,
  storeId: string,
  write: (orders: Orders) => Orders,
): void {
  const queryKey = consoleKeys.queue(storeId);
  queryClient.setQueryData(queryKey, write);
  if (queryClient.isFetching({ queryKey })) void queryClient.invalidateQueries({ queryKey });
}

/** Writes an order into the queue, or removes it if the store has nothing more to do. Ignores older versions. */
export function updateQueue(queryClient: QueryClient, storeId: string, order: StoreOrder): void {
  writeQueue(queryClient, storeId, (orders) => {
    if (!orders) return orders;
    const known = orders.find(({ orderId }) => orderId === order.orderId);
    if (known && known.version > order.version) return orders;
    const others = orders.filter((other) => other !== known);
    return isOnBoard(order) ? [...others, order] : others;
  });
}

export function removeFromQueue(queryClient: QueryClient, storeId: string, removedId: string): void {
  writeQueue(queryClient, storeId, (orders) => orders?.filter(({ orderId }) => orderId !== removedId));
}
