import { queryOptions } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import type { GetData } from "@/api/contract";
import { settingsKey } from "@/shell/queries";

export type SignedInDevice = GetData<"/user/sessions">["sessions"][number];
export type KnownDevice = GetData<"/user/sessions">["knownDevices"][number];

export type Settings = GetData<"/user/settings">;

export const accountKeys = {
  sessions: ["account", "sessions"] as const,
  info: ["account", "info"] as const,
};

/** Where the consumer is signed in, and the devices known from previous sessions. */
export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => read("/user/sessions", {}, { signal }),
});

/** When the consumer joined, and whether the profile has no name yet. */
export const userInfoQuery = queryOptions({
  queryKey: accountKeys.info,
  queryFn: ({ signal }) => read("/user/info", {}, { signal }),
  staleTime: 5 * 60_000,
});

/** Notifications, vehicle and auto-reload. */
export const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: ({ signal }) => read("/user/settings", {}, { signal }),
});

/** Turns off a channel for notifications when its link is opened. `token` is that of the notification. */
export const stopNotificationsQuery = (token: string) =>
  queryOptions({
    queryKey: ["account", "stop-notifications", token] as const,
    queryFn: async ({ client }) => {
      // The token is a parameter of the address, because mail programs send the same request.
      const path = `/user/stop-notifications?token=${encodeURIComponent(token)}`;
      const stopped = await write(path as "/user/stop-notifications", undefined);
      // Settings that are being read may be those of before.
      const reading = client.getQueryCache().find({ queryKey: settingsKey })?.promise;
      void Promise.allSettled([reading]).then(() => client.invalidateQueries({ queryKey: settingsKey }));
      return stopped;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Opening the link again turns the channel off again.
    refetchOnMount: "always",
  });
