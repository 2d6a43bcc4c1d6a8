/** Amounts and errors of adding funds. Amounts are cents. */
import { ApiError, errorMessage, NetworkError } from "@/api/errors";
import { statesPayment } from "@/lib/charge-text";
import { formatDayPhrase } from "@/lib/day-phrase";
import { cents, formatMoney, parseCents } from "@/lib/money";
import { isFinal, PreviousPurchaseError, PurchaseFailedError, TAP_AGAIN } from "@/provider/purchase";
import { SCRIPT_FAILED, ScriptError } from "@/provider/script";
import type { AddFundsOptions } from "./queries";

type MethodType = AddFundsOptions["methods"][number]["type"];

/** Types with a minimum amount (specification section 9). Others have none. */
const TYPES_WITH_MINIMUM: ReadonlySet<MethodType> = new Set(["card", "bank", "apple", "google"]);

/** Returns the minimum amount for this type of method. */
export function minimumFor(type: MethodType, { minimum }: Pick<AddFundsOptions, "minimum">): number {
  return TYPES_WITH_MINIMUM.has(type) ? minimum : 0;
}

/** Returns an error for the amount, or undefined. */
export function checkAmount(
  amount: number | null,
  type: MethodType | undefined,
  options: Pick<AddFundsOptions, "minimum" | "maximum">,
): string | undefined {
  if (amount === null || amount <= 0) return "Enter an amount.";
  const minimum = type ? minimumFor(type, options) : 0;
  if (amount < minimum) return `Add at least ${formatWhole(minimum)}.`;
  if (amount > options.maximum) return `Add up to ${formatWhole(options.maximum)} at a time.`;
  return undefined;
}

/** Returns the amount of a preset ("2500") or of the text of the "Other" field. */
export function readAmount(choice: string, other: string): number | null {
  return choice === "other" ? parseCents(other) : Number(choice);
}

const formatWhole = (amount: number): string => formatMoney(cents(amount), { bare: true });

/** Explains why no funds were added, and what that means for the consumer's money. */
export function formatAddFundsError(error: unknown): string {
  if (error instanceof ApiError && error.reason === "FAILED_ACH_PAYMENTS") {
    return "You have failed payment. Pay it first, then add funds.";
  }
  if (error instanceof PurchaseFailedError) return error.message;
  if (error instanceof PreviousPurchaseError) {
    const { value, createdAt } = error.purchase;
    return `You already added ${formatMoney(value)} ${formatDayPhrase(createdAt)}. You weren't charged again; tap again to add more.`;
  }
  if (isFinal(error)) {
    const message = errorMessage(error);
    return statesPayment(message) ? message : `${message} You weren't charged.`;
  }
  if (error instanceof ScriptError) return `${SCRIPT_FAILED} ${TAP_AGAIN}`;
  if (error instanceof NetworkError && error.kind === "network error")
    return `We lost the connection. ${TAP_AGAIN}`;
  if (error instanceof ApiError && error.status === 429) return errorMessage(error);
  return `This is taking longer than expected. ${TAP_AGAIN}`;
}
