import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
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
    onSettled: () => invalidateMethods(queryClient),
  });
}
