import { useMutation } from "@tanstack/react-query";
import { dataOf, post } from "@/api/client";
import type { PostBody } from "@/api/contract";
import { authenticatePayment } from "@/provider/authenticate";
import { deleteIdempotencyKey, getIdempotencyKey } from "@/state/idempotency";

type UpdateRequest = PostBody<"/payment/update-failed-payments">;
export type Payer = Pick<UpdateRequest, "paymentMethodId" | "paymentMethodType">;

interface Recovery extends Payer {
  userId: string;
  paymentIntentIds: string[];
}

/** The amount in the fingerprint of the idempotency key (specification section 7). */
const KEY_AMOUNT = "100";

/** Pays failed payments. Resolves to the errors of the response; empty if all were paid. Throws if the call fails. */
export function useUpdateFailedPayments() {
  return useMutation({
    mutationFn: async (recovery: Recovery): Promise<readonly string[]> => {
      const { paymentMethodId, paymentMethodType } = recovery;
      const fingerprint = [paymentMethodId, paymentMethodType, KEY_AMOUNT];
      const errors = await payUntilSettled({
        ...recovery,
        idempotencyKey: getIdempotencyKey(...fingerprint),
      });
      if (errors.length === 0) deleteIdempotencyKey(...fingerprint);
      return errors;
    },
    meta: { handlesErrors: true, handlesUnauthorized: true },
  });
}

/** Sends the request, and again after each authentication by the bank. */
async function payUntilSettled(request: UpdateRequest): Promise<readonly string[]> {
  const authenticated = new Set<string>();
  for (;;) {
    const response = await post("/payment/update-failed-payments", request);
    // A missing session is an error of the call, not of a payment.
    if (response.status === 401) dataOf(response);
    if (response.success) return [];
    const { clientSecret, providerScript } = response.data ?? {};
    if (!clientSecret || !providerScript || authenticated.has(clientSecret)) {
      return response.errors.length > 0 ? response.errors : ["Your payment didn't go through."];
    }
    authenticated.add(clientSecret);
    await authenticatePayment(clientSecret, providerScript);
  }
}
