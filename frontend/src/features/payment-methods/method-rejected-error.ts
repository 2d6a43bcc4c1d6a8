import type { ProviderError } from "@/provider/provider";

/** The provider rejected a card or a bank account. The message is the provider's. */
export class MethodRejectedError extends Error {
  override readonly name = "MethodRejectedError";

  constructor({ message }: ProviderError) {
    super(message ?? "That wasn't accepted. Try another one.");
  }
}
