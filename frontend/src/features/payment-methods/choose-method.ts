/** Which payment method stands where, and which one is chosen before anybody has chosen (specification section 4). */
import type { PaymentMethod } from "./queries";

export type Method = Pick<PaymentMethod, "paymentMethodId" | "type" | "amount" | "companyId" | "isDefault">;

/** Joebucks first, then what matches the preferred type or the start of an id; otherwise as the server lists them. */
export function sortMethods<M extends Method>(methods: readonly M[], preferred = ""): M[] {
  const place = ({ type, paymentMethodId }: M): number => {
    if (type === "joebucks") return 0;
    return preferred !== "" && (type === preferred || paymentMethodId.startsWith(preferred)) ? 1 : 2;
  };
  return methods.toSorted((a, b) => place(a) - place(b));
}

interface Known {
  /** What the person chose here, or a card that was added a moment ago. */
  explicitId?: string | undefined;
  /** What paid last time. */
  lastId?: string | undefined;
}

/**
 * The method to start with: an explicit one; a company's card with something on it; joebucks with balance; the
 * consumer's default; what paid last; a bank; a card; the first there is.
 */
export function chooseMethod<M extends Method>(
  methods: readonly M[],
  { explicitId, lastId }: Known = {},
): M | undefined {
  const withId = (id: string | undefined) => id && methods.find((m) => m.paymentMethodId === id);
  const filled = methods.filter(({ type, amount }) => type === "joebucks" && (amount ?? 0) > 0);
  return (
    withId(explicitId) ||
    filled.find(({ companyId }) => companyId !== null) ||
    filled[0] ||
    methods.find(({ isDefault }) => isDefault) ||
    withId(lastId) ||
    methods.find(({ type }) => type === "bank") ||
    methods.find(({ type }) => type === "card") ||
    methods[0]
  );
}

/** Whether a method can be kept by the consumer, made the default and removed: only cards and banks are. */
export const isSaveable = ({ type }: Pick<Method, "type">): boolean => type === "card" || type === "bank";
