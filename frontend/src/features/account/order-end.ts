import type { QueryClient } from "@tanstack/react-query";
import type { GetData } from "@/api/contract";
import { isActive } from "@/lib/order-status";
import { orderKeys } from "@/shell/queries";

/** Calls `onEnd` when the order that its screen fetches has ended. Returns a function that ends it. */
export function followOrderEnd(queryClient: QueryClient, orderId: string, onEnd: () => void): () => void {
  const check = () => {
    const order = queryClient.getQueryData<GetData<"/order/status">>(orderKeys.detail(orderId));
    if (order && !isActive(order)) onEnd();
  };
  check();
  return queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === orderKeys.all[0]) check();
  });
}
