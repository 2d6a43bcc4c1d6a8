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
 * consumer's default, the last one used, a bank account, a card, or the first one. A balance of 0 can pay nothing: it is
 * preselected only if it is the explicit choice, or there is no other method.
 */
export function chooseMethod<M extends Method>(
  methods: readonly M[],
  { explicitId, lastId }: Preference = {},
): M | undefined {
  const usable = methods.filter(({ type, amount }) => type !== "joebucks" || (amount ?? 0) > 0);
  const withBalance = usable.filter(({ type }) => type === "joebucks");
  return (
    methods.find(({ paymentMethodId }) => paymentMethodId === explicitId) ??
    withBalance.find(({ companyId }) => companyId !== null) ??
    withBalance[0] ??
    usable.find(({ isDefault }) => isDefault) ??
    usable.find(({ paymentMethodId }) => paymentMethodId === lastId) ??
    usable.find(({ type }) => type === "bank") ??
    usable.find(({ type }) => type === "card") ??
    usable[0] ??
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
