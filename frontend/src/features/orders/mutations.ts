import { useMutation, useQueryClient } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import { authenticatePayment } from "@/provider/authenticate";
import { orderKeys, paymentMethodKeys, walletKeys } from "@/shell/queries";
import { cacheOrder } from "./cache-order";

export function useCancelOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (orderId: string) => write("/order/cancel", { orderId }),
    onSuccess: (order) => cacheOrder(queryClient, order),
    // On failure as well: the store may have accepted the order first.
    onSettled: () => {
      for (const queryKey of [orderKeys.all, paymentMethodKeys.all, walletKeys.all]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}

/** Shows the bank's authentication of a pending payment. The server then places or closes the order. */
export function useAuthenticatePayment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (orderId: string) => {
      const { clientSecret, providerScript } = await read("/order/status", { orderId });
      if (clientSecret && providerScript) await authenticatePayment(clientSecret, providerScript);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: orderKeys.all }),
  });
}

/** Notifies the store that the consumer has arrived, with the vehicle for curbside pickup. */
export function useUserArrived() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ orderId, vehicle }: { orderId: string; vehicle: string }) =>
      write("/order/user-arrived", { orderId, vehicle: vehicle || null }),
    onSuccess: (order) => cacheOrder(queryClient, order),
  });
}

/** Requests the cart of a previous order, without unavailable items. */
export const useRepeatOrder = () =>
  useMutation({ mutationFn: (orderId: string) => read("/order/repeat", { orderId }) });
