import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { findAddedMethod, savedMethodIds } from "./added-method";
import { invalidateMethods } from "./invalidate-methods";
import { MethodRejectedError } from "./method-rejected-error";
import type { PaymentMethod } from "./queries";
import type { BankSession } from "./use-create-bank-session";

interface AddBankAccountOptions extends Pick<BankSession, "provider" | "clientSecret"> {
  /** The name of the account holder. */
  owner: string;
  email: string | undefined;
}

type Result =
  | { kind: "canceled" }
  /** The bank confirms the account with a small deposit first. */
  | { kind: "verifying" }
  /** The bank has not confirmed the account yet. */
  | { kind: "processing" }
  | { kind: "added"; method: PaymentMethod | undefined };

/** Lets the consumer choose a bank account at the provider, then imports it. */
export function useAddBankAccount() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (options: AddBankAccountOptions): Promise<Result> => {
      const previousIds = await savedMethodIds("bank");
      const status = await linkAccount(options);
      if (status === "requires_payment_method") return { kind: "canceled" };
      // The server adds the account when the bank has confirmed it.
      if (status === "processing") return { kind: "processing" };
      if (status !== "succeeded") return { kind: "verifying" };
      const { paymentMethods } = await write("/user/bank-account", undefined);
      void invalidateMethods(queryClient);
      return { kind: "added", method: findAddedMethod(paymentMethods, "bank", previousIds) };
    },
    meta: { handlesErrors: true },
  });
}

/** Returns the status of the setup after the consumer chose an account, or closed the provider's dialog. */
async function linkAccount({ provider, clientSecret, owner, email }: AddBankAccountOptions): Promise<string> {
  const chosen = await provider.collectBankAccountForSetup({
    clientSecret,
    params: {
      payment_method_type: "us_bank_account",
      payment_method_data: { billing_details: { name: owner, ...(email ? { email } : {}) } },
    },
  });
  if (chosen.error) throw new MethodRejectedError(chosen.error);
  if (chosen.setupIntent?.status !== "requires_confirmation") {
    return chosen.setupIntent?.status ?? "requires_payment_method";
  }
  const confirmed = await provider.confirmUsBankAccountSetup(clientSecret);
  if (confirmed.error) throw new MethodRejectedError(confirmed.error);
  return confirmed.setupIntent?.status ?? "succeeded";
}
