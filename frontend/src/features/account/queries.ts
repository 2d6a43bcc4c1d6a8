import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type SignedInDevice = GetData<"/user/sessions">["sessions"][number];
export type KnownDevice = GetData<"/user/sessions">["knownDevices"][number];

export const accountKeys = { sessions: ["account", "sessions"] as const };

/** Where the consumer is signed in, and the devices known from earlier sessions. */
export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => read("/user/sessions", {}, { signal }),
});
