import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { completePurchase, type Purchase } from "@/provider/purchase";
import { paymentMethodKeys, walletKeys } from "@/shell/queries";
import { purchaseFingerprint } from "@/state/idempotency";
import type { CompanyGiftCardPurchase } from "@/state/purchases";

export type PurchaseCompanyGiftCardRequest = Omit<PostBody<"/company-gift-card/purchase">, "idempotencyKey">;

interface Variables {
  request: PurchaseCompanyGiftCardRequest;
  /** What the consumer chose. The stored draft may change before the response. */
  draft: CompanyGiftCardPurchase;
}

/**
 * Buys a company card, or adds to it. A repeated request buys once. `onBought` and `onFailed` are called even if the consumer left the
 * screen.
 */
export function usePurchaseCompanyGiftCard(
  onBought: (purchase: Purchase, draft: CompanyGiftCardPurchase) => void,
  onFailed: (error: Error) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ request }: Variables) =>
      completePurchase(purchaseFingerprint("company-gift-card", request), (idempotencyKey) =>
        write("/company-gift-card/purchase", { ...request, idempotencyKey }),
      ),
    onSuccess: (purchase, { draft }) => onBought(purchase, draft),
    onError: onFailed,
    onSettled: () => invalidateCards(queryClient),
    meta: { handlesErrors: true },
  });
}

/** Offers the card at checkout, or stops offering it. */
export function useSetCompanyGiftCardActive(companyId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isActive: boolean) =>
      isActive
        ? write("/company-gift-card/activate", { companyId })
        : write("/company-gift-card/deactivate", { companyId }),
    onSettled: () => invalidateCards(queryClient),
  });
}

const invalidateCards = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: walletKeys.all }),
    queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all }),
    queryClient.invalidateQueries({ queryKey: ["gift-cards"] }),
  ]);
