import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { get, write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { ApiError, isUnauthorized } from "@/api/errors";
import { type Profile, sessionQuery } from "@/shell/queries";
import { accountKeys, type Settings, settingsQuery } from "./queries";

export function useSetName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: PostBody<"/user/name">) => write("/user/name", name),
    onSuccess: async (profile) => {
      await storeChangedProfile(queryClient, profile);
      return queryClient.invalidateQueries({ queryKey: accountKeys.info });
    },
    meta: { handlesErrors: true },
  });
}

/** Sends a link that verifies the email address of the profile. */
export function useRequestEmailVerification() {
  return useMutation({
    mutationFn: () => write("/user/request-email-verification", undefined),
    meta: { handlesErrors: true },
  });
}

/** Verifies the email address of the profile with the token of a link. */
export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => write("/user/verify-email", { token }),
    onSuccess: (profile) => storeChangedProfile(queryClient, profile),
    meta: { handlesErrors: true },
  });
}

/** Replaces the photo. */
export function useSetPhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (photo: File) => {
      const form = new FormData();
      form.set("photo", photo);
      return write("/user/photo", form);
    },
    onSuccess: (profile) => storeChangedProfile(queryClient, profile),
    meta: { handlesErrors: true },
  });
}

export function useRemovePhoto() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => write("/user/remove-photo", undefined),
    onSuccess: (profile) => storeChangedProfile(queryClient, profile),
    meta: { handlesErrors: true },
  });
}

/**
 * Calls that change the profile return no points, so the known ones stay. A read that began before the change would replace it, so it
 * is canceled and done again.
 */
async function storeChangedProfile(queryClient: QueryClient, profile: Profile): Promise<void> {
  const wasReading = queryClient.isFetching(sessionQuery) > 0;
  await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey, exact: true });
  queryClient.setQueryData(sessionQuery.queryKey, (now) => ({
    ...profile,
    points: profile.points ?? now?.points ?? null,
  }));
  if (wasReading) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true });
}

type Changes = PostBody<"/user/save-settings">;

/**
 * Changes settings at once on the screen, and sends one change after the other. If a call fails, the screen shows the previous
 * value of this change and a toast.
 */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  const { queryKey } = settingsQuery;
  const mutationKey = ["save-settings"];
  const update = (changes: Changes) =>
    queryClient.setQueryData(queryKey, (now) => now && applyChanges(now, changes));
  /** Later changes are on the screen, but not on the server yet. */
  const isLast = () => queryClient.isMutating({ mutationKey }) === 1;
  return useMutation({
    mutationKey,
    scope: { id: "save-settings" },
    mutationFn: (changes: Changes) => write("/user/save-settings", changes),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const previous = queryClient.getQueryData(queryKey);
      update(changes);
      return previous && findPrevious(previous, changes);
    },
    onSuccess: (settings) => isLast() && queryClient.setQueryData(queryKey, settings),
    onError: (_error, _changes, previous) => {
      if (previous) update(previous);
      // The call may have taken effect.
      if (isLast()) void queryClient.invalidateQueries({ queryKey });
    },
  });
}

/** Returns the changes that undo these. */
function findPrevious({ notifications, vehicle, timeZone }: Settings, changes: Changes): Changes {
  const { push, sms, email } = changes.notifications ?? {};
  return {
    notifications: {
      push: push == null ? null : notifications.push,
      sms: sms == null ? null : notifications.sms,
      email: email == null ? null : notifications.email,
    },
    vehicle: changes.vehicle == null ? null : vehicle,
    timeZone: changes.timeZone == null ? null : timeZone,
  };
}

function applyChanges(settings: Settings, changes: Changes): Settings {
  const { push, sms, email } = changes.notifications ?? {};
  const now = settings.notifications;
  return {
    ...settings,
    notifications: { push: push ?? now.push, sms: sms ?? now.sms, email: email ?? now.email },
    vehicle: changes.vehicle ?? settings.vehicle,
    timeZone: changes.timeZone ?? settings.timeZone,
  };
}

/**
 * Deletes the account. `onRemoved` is called even if the consumer left the screen. The session ends with the account: after an attempt
 * whose response was lost, an ended session means that the account was deleted.
 */
export function useRemoveConsumer(onRemoved: () => Promise<void>) {
  const mayBeRemoved = useRef(false);
  return useMutation({
    mutationFn: async () => {
      try {
        await write("/user/remove", undefined);
      } catch (error) {
        mayBeRemoved.current ||= mayHaveRun(error);
        const isRemoved = mayBeRemoved.current && (isUnauthorized(error) || (await hasSessionEnded()));
        if (!isRemoved) throw error;
      }
    },
    onSuccess: onRemoved,
    meta: { handlesErrors: true },
  });
}

/** The gateway does not run a call for which it is overloaded, and nothing is sent while the device is offline. */
function mayHaveRun(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 && error.reason !== "OVERLOADED";
  return navigator.onLine;
}

/** Returns false if the server cannot be reached. */
async function hasSessionEnded(): Promise<boolean> {
  const response = await get("/user/profile", {}).catch(() => undefined);
  return response?.status === 401;
}

export function useSendUserFeedback() {
  return useMutation({
    mutationFn: (feedback: PostBody<"/analytics/user-feedback">) =>
      write("/analytics/user-feedback", feedback),
    meta: { handlesErrors: true },
  });
}

/** Ends the session on another device. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) => write("/user/end-session", { sessionId }),
    // After an error as well: the session may have ended on its device.
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}

/** Makes a device without a session unknown. */
export function useForgetDevice() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deviceId: string) => write("/user/forget-device", { deviceId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}
