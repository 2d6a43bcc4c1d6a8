import { useQueryClient } from "@tanstack/react-query";
import { checkoutKeys } from "@/features/checkout/queries";
import { menuKeys } from "@/features/menu/queries";
import { useStoreEvents } from "@/features/stores/use-store-events";

/** Prices the cart again when its store sells something out, pauses, or accepts orders again. */
export function useLiveCart(storeId: string): void {
  const queryClient = useQueryClient();
  useStoreEvents(storeId, (event) => {
    if (event === "opened") return;
    for (const queryKey of [checkoutKeys.quotes, checkoutKeys.cartOptions, menuKeys.upsells(storeId)]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });
}
