import { read } from "@/api/client";
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
