import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { paymentMethodKeys } from "@/shell/queries";

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

const invalidateMethods = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all });
