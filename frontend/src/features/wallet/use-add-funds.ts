import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { completePurchase } from "@/provider/purchase";
import { paymentMethodKeys, walletKeys } from "@/shell/queries";
import { purchaseFingerprint } from "@/state/idempotency";

type AddFundsRequest = Omit<PostBody<"/payment/upload">, "idempotencyKey">;

/**
 * Adds funds. A repeated call with the same amount and method has the same idempotency key until the outcome is known, so that
 * a lost response does not charge twice. Resolves to a purchase that is completed, or processing for a bank debit.
 */
export function useAddFunds() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: AddFundsRequest) =>
      completePurchase(purchaseFingerprint("add-funds", request), (idempotencyKey) =>
        write("/payment/upload", { ...request, idempotencyKey }),
      ),
    onSettled: () => {
      for (const queryKey of [walletKeys.all, paymentMethodKeys.all]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
    meta: { handlesErrors: true },
  });
}
