import type { QueryClient } from "@tanstack/react-query";
import { isOnBoard } from "./board";
import { consoleKeys, type StoreOrder } from "./queries";

/** Writes an order into the queue, or removes it if the store has nothing more to do. Ignores older versions. */
export function updateQueue(queryClient: QueryClient, storeId: string, order: StoreOrder): void {
  queryClient.setQueryData<StoreOrder[]>(consoleKeys.queue(storeId), (orders) => {
    if (!orders) return orders;
    const known = orders.find(({ orderId }) => orderId === order.orderId);
    if (known && known.version > order.version) return orders;
    const others = orders.filter((other) => other !== known);
    return isOnBoard(order) ? [...others, order] : others;
  });
}

export function removeFromQueue(queryClient: QueryClient, storeId: string, removedId: string): void {
  queryClient.setQueryData<StoreOrder[]>(consoleKeys.queue(storeId), (orders) =>
    orders?.filter(({ orderId }) => orderId !== removedId),
  );
}
