import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { read, write } from "@/api/client";
import type { PaymentMethod } from "./queries";

/** Every list of methods is asked again: at stores and in the wallet they differ. */
const refresh = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: ["payment-methods"] });

/** Makes a method the one to pay with unless told otherwise; null for none. */
export function useSetDefaultPaymentMethod() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (paymentMethodId: string | null) =>
      paymentMethodId === null
        ? write("/payment/unset-default", undefined)
        : write("/payment/set-default", { paymentMethodId }),
    onSettled: () => refresh(queryClient),
  });
}

export function useDeletePaymentMethod() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (paymentMethodId: string) => write("/payment/delete", { paymentMethodId }),
    onSettled: () => refresh(queryClient),
  });
}

/** The saved cards, to know a new one by. */
export const savedCardIds = async (): Promise<ReadonlySet<string>> =>
  new Set((await read("/payments/list", { type: "card" })).paymentMethods.map(({ id }) => id));

/** Takes over the card that the provider has just saved, and says which one it is. */
export async function addCard(
  queryClient: QueryClient,
  known: ReadonlySet<string>,
): Promise<PaymentMethod | undefined> {
  const { paymentMethods } = await write("/payment/add-card", undefined);
  void refresh(queryClient);
  const cards = paymentMethods.filter(({ type }) => type === "card");
  return cards.find(({ id }) => !known.has(id)) ?? cards.at(-1);
}
