import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { addFundsQuery } from "./queries";

/** Sets or pauses automatic reloads of JoePass. */
export function useSetAutoReload() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (rule: PostBody<"/user/settings/autoReload">) => write("/user/settings/autoReload", rule),
    onSuccess: (autoReload) =>
      queryClient.setQueryData(addFundsQuery.queryKey, (options) => options && { ...options, autoReload }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: addFundsQuery.queryKey }),
  });
}
