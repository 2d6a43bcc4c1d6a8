import { loadProvider } from "./script";

/** Shows the authentication of a payment by the bank in the provider's frame. The provider reports the result to the server. */
export async function authenticatePayment(
  clientSecret: string,
  script: Parameters<typeof loadProvider>[0],
): Promise<void> {
  const provider = await loadProvider(script);
  await provider.handleNextAction({ clientSecret });
}
