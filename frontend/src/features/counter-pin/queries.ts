import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type CounterPin = GetData<"/user/pin">;

/**
 * A PIN for the counter of a store. Each request creates a new PIN, which replaces the previous one, so it is never
 * refetched by itself, and it is forgotten when the screen closes.
 */
export const counterPinQuery = (storeId: string) =>
  queryOptions({
    queryKey: ["counter-pin", storeId],
    queryFn: ({ signal }) => read("/user/pin", { storeId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
