import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { sessionQuery } from "@/shell/queries";

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
