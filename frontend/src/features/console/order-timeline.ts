import { useMutation } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { withId } from "./with-id";

export type OrderTimeline = GetData<"/store-api/operator/orders/{id}/timeline">;
export type OrderRecord = OrderTimeline["records"][number];

interface OrderTimelineRequest {
  operatorKey: string;
  orderId: string;
}

/** Reads what all services recorded about an order. A mutation, so that neither the records nor the key are cached. */
export function useOrderTimeline() {
  return useMutation({
    meta: { handlesErrors: true, handlesUnauthorized: true },
    gcTime: 0,
    mutationFn: ({ operatorKey, orderId }: OrderTimelineRequest) =>
      read(withId("/store-api/operator/orders/{id}/timeline", orderId), {}, { bearer: operatorKey }),
  });
}

/** Returns a time of a record in UTC with milliseconds: "2026-11-22 08:00:00.123". */
export function formatRecordTime(at: string): string {
  return new Date(at).toISOString().replace("T", " ").slice(0, -1);
}
