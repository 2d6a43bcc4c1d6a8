import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";

/** The consumer's orders from Scheduled to Ready. In the shell because the navigation's dot is on every screen. */
export const activeOrdersQuery = (userId: string) =>
  queryOptions({
    queryKey: ["orders", "active", userId],
    queryFn: ({ signal }) => read("/order/active-orders", { userId }, { signal }),
    // The order screen has the live stream; elsewhere a minute-old dot is early enough.
    refetchInterval: 60_000,
  });
