import { read } from "@/api/client";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import type { PaymentMethod } from "./queries";

/** Returns the ids of the saved methods of a type, to find the one that is added next. */
export async function savedMethodIds(type: "card" | "bank"): Promise<ReadonlySet<string>> {
  const { paymentMethods } = await read("/payments/list", { type });
  return new Set(paymentMethods.map(({ id }) => id));
}

/** Returns the method that is not in `previousIds`; if it was saved before, the last one of its type. */
export function findAddedMethod(
  methods: readonly PaymentMethod[],
  type: "card" | "bank",
  previousIds: ReadonlySet<string>,
): PaymentMethod | undefined {
  const ofType = methods.filter((method) => method.type === type);
  return ofType.find(({ id }) => !previousIds.has(id)) ?? ofType.at(-1);
}

/** Selects a method that was just added where it is needed: for the order if it was added at checkout, otherwise for a purchase. */
export function selectAddedMethod(
  { paymentMethodId, type }: Pick<PaymentMethod, "paymentMethodId" | "type">,
  next: string | undefined,
): void {
  if (next?.startsWith("/checkout")) device.checkout.set({ paymentId: paymentMethodId, paymentType: type });
  else addedMethod.set(paymentMethodId);
}
