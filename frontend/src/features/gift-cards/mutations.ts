import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { completePurchase, type Purchase } from "@/provider/purchase";
import { paymentMethodKeys, walletKeys } from "@/shell/queries";
import { purchaseFingerprint } from "@/state/idempotency";
import type { GiftCardPurchase } from "@/state/purchases";

export type BuyGiftCardRequest = Omit<PostBody<"/gift-card">, "idempotencyKey">;

interface Variables {
  request: BuyGiftCardRequest;
  /** What the consumer chose. The draft may change before the response. */
  gift: GiftCardPurchase;
}

/**
 * Buys a gift card once per request, however often it is repeated. `onBought` and `onFailed` are called even if the consumer left the
 * screen.
 */
export function useBuyGiftCard(
  onBought: (purchase: Purchase, gift: GiftCardPurchase) => void,
  onFailed: (error: Error) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ request }: Variables) =>
      completePurchase(purchaseFingerprint("gift-card", request), (idempotencyKey) =>
        write("/gift-card", { ...request, idempotencyKey }),
      ),
    onSuccess: (purchase, { gift }) => onBought(purchase, gift),
    onError: onFailed,
    onSettled: () => invalidateWallet(queryClient),
    meta: { handlesErrors: true },
  });
}

/** Adds a gift card to the wallet by its code. */
export function useRedeemGiftCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => write("/user/gift-card", { code }),
    onSuccess: () => invalidateWallet(queryClient),
    meta: { handlesErrors: true },
  });
}

/** Adds a physical gift card to the wallet. */
export function useLinkGiftCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (card: PostBody<"/gift-card/link-gift-card">) => write("/gift-card/link-gift-card", card),
    onSuccess: () => invalidateWallet(queryClient),
    meta: { handlesErrors: true },
  });
}

const invalidateWallet = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: walletKeys.all }),
    queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all }),
    queryClient.invalidateQueries({ queryKey: ["gift-cards"] }),
  ]);
