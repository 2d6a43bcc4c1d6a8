import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { keep } from "./use-live-orders";

/** Calls the order off, before a store has accepted it. */
export function useCancelOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (orderId: string) => write("/order/cancel", { orderId }),
    onSuccess: (order) => keep(queryClient, order),
    // The store may have been quicker: what holds now is shown.
    onSettled: () => {
      for (const queryKey of [["orders"], ["payment-methods"], ["wallet"]]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}

/** "I'm here": tells the store, with the car where the order is brought out. */
export function useUserArrived() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ orderId, vehicle }: { orderId: string; vehicle: string }) =>
      write("/order/user-arrived", { orderId, vehicle: vehicle || null }),
    onSuccess: (order) => keep(queryClient, order),
  });
}
