import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { sessionQuery } from "@/shell/queries";
import { accountKeys } from "./queries";

export function useSetName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: PostBody<"/user/name">) => write("/user/name", name),
    onSuccess: (profile) => queryClient.setQueryData(sessionQuery.queryKey, profile),
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
