/** Order and default choice of payment methods (specification section 4). */
import type { Money } from "@/lib/money";
import type { PaymentMethod } from "./queries";

export type Method = Pick<PaymentMethod, "paymentMethodId" | "type" | "amount" | "companyId" | "isDefault">;

/** Sorts joebucks first, then methods that match the preferred type or id prefix, then all others in server order. */
export function sortMethods<M extends Method>(methods: readonly M[], preferred = ""): M[] {
  const rank = ({ type, paymentMethodId }: M): number => {
    if (type === "joebucks") return 0;
    return preferred !== "" && (type === preferred || paymentMethodId.startsWith(preferred)) ? 1 : 2;
  };
  return methods.toSorted((a, b) => rank(a) - rank(b));
}

interface Preference {
  /** The method selected at checkout, or a card that was just added. */
  explicitId?: string | undefined;
  /** The method of the last order. */
  lastId?: string | undefined;
}

/**
 * Returns the preselected method: the explicit one, a company gift card with a balance, joebucks with a balance, the
 * consumer's default, the last one used, a bank account, a card, or the first one.
 */
export function chooseMethod<M extends Method>(
  methods: readonly M[],
  { explicitId, lastId }: Preference = {},
): M | undefined {
  const withId = (id: string | undefined) => id && methods.find((m) => m.paymentMethodId === id);
  const withBalance = methods.filter(({ type, amount }) => type === "joebucks" && (amount ?? 0) > 0);
  return (
    withId(explicitId) ||
    withBalance.find(({ companyId }) => companyId !== null) ||
    withBalance[0] ||
    methods.find(({ isDefault }) => isDefault) ||
    withId(lastId) ||
    methods.find(({ type }) => type === "bank") ||
    methods.find(({ type }) => type === "card") ||
    methods[0]
  );
}

/** Returns whether a method can pay a total: it has not expired, and a balance is high enough. */
export const canPay = (
  { type, amount, expired }: Pick<PaymentMethod, "type" | "amount" | "expired">,
  total: Money,
): boolean => !expired && (type !== "joebucks" || (amount ?? 0) >= total.currencyAmount);

/** Returns whether a method can be saved, set as the default and removed: only cards and bank accounts. */
export const isSaveable = ({ type }: Pick<Method, "type">): boolean => type === "card" || type === "bank";
