import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { paymentMethodKeys, settingsKey, walletKeys } from "@/shell/queries";
import { invalidateMethods } from "./invalidate-methods";

export function useSetDefaultPaymentMethod() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (paymentMethodId: string) => write("/payment/set-default", { paymentMethodId }),
    onSettled: () => invalidateMethods(queryClient),
  });
}

export function useUnsetDefaultPaymentMethod() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => write("/payment/unset-default", undefined),
    onSettled: () => invalidateMethods(queryClient),
  });
}

export function useDeletePaymentMethod() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (paymentMethodId: string) => write("/payment/delete", { paymentMethodId }),
    onSettled: () => {
      // The removal turns off the automatic reloads of the method a moment later. The next screen with the rule fetches it.
      for (const queryKey of [walletKeys.addFunds, settingsKey]) {
        void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
      }
      return queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all });
    },
  });
}
