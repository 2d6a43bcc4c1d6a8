import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { type Profile, sessionQuery } from "@/shell/queries";
import { accountKeys, type Settings, settingsQuery } from "./queries";

export function useSetName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: PostBody<"/user/name">) => write("/user/name", name),
    onSuccess: (profile) => {
      storeChangedProfile(queryClient, profile);
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

/** Calls that change the profile return no points, so the known ones stay. */
function storeChangedProfile(queryClient: QueryClient, profile: Profile): void {
  queryClient.setQueryData(sessionQuery.queryKey, (now) => ({
    ...profile,
    points: profile.points ?? now?.points ?? null,
  }));
}

/** Changes settings at once on the screen. If the call fails, the screen shows the previous settings and a toast. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  const { queryKey } = settingsQuery;
  return useMutation({
    mutationFn: (changes: PostBody<"/user/save-settings">) => write("/user/save-settings", changes),
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey });
      const previous = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (now) => now && applyChanges(now, changes));
      return previous;
    },
    onSuccess: (settings) => queryClient.setQueryData(queryKey, settings),
    onError: (_error, _changes, previous) => queryClient.setQueryData(queryKey, previous),
  });
}

function applyChanges(settings: Settings, changes: PostBody<"/user/save-settings">): Settings {
  const { push, sms, email } = changes.notifications ?? {};
  const now = settings.notifications;
  return {
    ...settings,
    notifications: { push: push ?? now.push, sms: sms ?? now.sms, email: email ?? now.email },
    vehicle: changes.vehicle ?? settings.vehicle,
    timeZone: changes.timeZone ?? settings.timeZone,
  };
}

/** Deletes the account. The caller clears the device. */
export function useRemoveConsumer() {
  return useMutation({
    mutationFn: () => write("/user/remove", undefined),
    meta: { handlesErrors: true },
  });
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
