import { queryOptions } from "@tanstack/react-query";
import { dataOf, get } from "@/api/client";
import type { GetData } from "@/api/contract";
import { clockLead } from "@/lib/clock-lead";

export interface CounterPin extends GetData<"/user/pin"> {
  /** `expiresAt` by the clock of the device, in milliseconds. */
  validUntil: number;
}

/**
 * A PIN for the counter of a store. Each request creates a new PIN, which replaces the previous one, so it is never
 * refetched by itself, and it is forgotten when the screen closes.
 */
export const counterPinQuery = (storeId: string) =>
  queryOptions({
    queryKey: ["counter-pin", storeId],
    queryFn: async ({ signal }): Promise<CounterPin> => {
      const response = await get("/user/pin", { storeId }, { signal });
      const pin = dataOf(response);
      return { ...pin, validUntil: Date.parse(pin.expiresAt) + clockLead(response.date) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
