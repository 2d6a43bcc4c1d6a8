import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { settingsKey } from "@/shell/queries";
import { pauseEnd } from "./auto-reload";
import { type AutoReload, addFundsQuery } from "./queries";

/** Sets or pauses automatic reloads of JoePass. */
export function useSetAutoReload() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (rule: PostBody<"/user/settings/autoReload">) => write("/user/settings/autoReload", rule),
    ...updateRule(queryClient),
  });
}

/** Pauses automatic reloads for a week. Resolves to the rule, which is unchanged if it is off. */
export function usePauseAutoReload() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<AutoReload> => {
      const { autoReload } = await queryClient.fetchQuery({ ...addFundsQuery, staleTime: 0 });
      if (!autoReload.enabled) return autoReload;
      return write("/user/settings/autoReload", {
        enabled: true,
        threshold: autoReload.threshold.currencyAmount,
        amount: autoReload.amount.currencyAmount,
        paymentMethodId: autoReload.paymentMethodId ?? "",
        pausedUntil: pauseEnd(new Date()),
      });
    },
    ...updateRule(queryClient),
  });
}

const updateRule = (queryClient: QueryClient) => ({
  onSuccess: (autoReload: AutoReload) => {
    queryClient.setQueryData(addFundsQuery.queryKey, (options) => options && { ...options, autoReload });
  },
  onSettled: () => {
    void queryClient.invalidateQueries({ queryKey: settingsKey });
    return queryClient.invalidateQueries({ queryKey: addFundsQuery.queryKey });
  },
});
