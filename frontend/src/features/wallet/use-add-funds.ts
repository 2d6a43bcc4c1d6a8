import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import type { PostBody, PostData } from "@/api/contract";
import { ApiError, NetworkError } from "@/api/errors";
import { authenticatePayment } from "@/provider/authenticate";
import { paymentMethodKeys, walletKeys } from "@/shell/queries";
import { deleteIdempotencyKey, getIdempotencyKey, purchaseFingerprint } from "@/state/idempotency";

type AddFundsRequest = PostBody<"/payment/upload">;
type Purchase = PostData<"/payment/upload">;

/** Maximum number of polls while the server still processes the payment after an authentication. */
const MAX_POLLS = 5;
const POLL_DELAY_MS = 1_000;

/**
 * Adds funds. A repeated call with the same amount and method has the same idempotency key until the outcome is known, so that
 * a lost response does not charge twice. Resolves to a purchase that is completed, or processing for a bank debit.
 */
export function useAddFunds() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (request: Omit<AddFundsRequest, "idempotencyKey">): Promise<Purchase> => {
      const fingerprint = purchaseFingerprint("add-funds", request);
      try {
        const purchase = await payUntilSettled({
          ...request,
          idempotencyKey: getIdempotencyKey(...fingerprint),
        });
        deleteIdempotencyKey(...fingerprint);
        return purchase;
      } catch (error) {
        if (isFinal(error)) deleteIdempotencyKey(...fingerprint);
        throw error;
      }
    },
    onSettled: () => {
      for (const queryKey of [walletKeys.all, paymentMethodKeys.all]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
    meta: { handlesErrors: true },
  });
}

/** Sends the request, and again with the same key after the consumer authenticated the payment. */
async function payUntilSettled(request: AddFundsRequest): Promise<Purchase> {
  const authenticated = new Set<string>();
  for (let polls = 0; polls <= MAX_POLLS; ) {
    const purchase = await write("/payment/upload", request);
    if (purchase.state === "Completed" || purchase.state === "Processing") return purchase;
    if (purchase.state !== "RequiresAction") throw new ApiError(422, "PURCHASE_NOT_COMPLETED", [], null);
    const { clientSecret, providerScript } = purchase;
    if (clientSecret && providerScript && !authenticated.has(clientSecret)) {
      authenticated.add(clientSecret);
      await authenticatePayment(clientSecret, providerScript);
    } else {
      polls += 1;
      await new Promise((resolve) => setTimeout(resolve, POLL_DELAY_MS));
    }
  }
  throw new NetworkError("timeout exceeded");
}

/** A 4xx is final, except for a missing session and rate limiting, which are checked before the payment. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}
