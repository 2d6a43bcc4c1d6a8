import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { keepNewer } from "@/lib/keep-newer";
import { orderKeys } from "@/shell/queries";

export type RatedOrder = GetData<"/order/active-orders">["orders"][number];

export const ratedOrderQuery = (orderId: string) =>
  queryOptions({
    queryKey: orderKeys.detail(orderId),
    queryFn: ({ signal }): Promise<RatedOrder> => read("/order/status", { orderId }, { signal }),
    structuralSharing: keepNewer,
  });
