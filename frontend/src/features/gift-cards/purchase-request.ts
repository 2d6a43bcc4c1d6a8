/** Checks a gift card purchase and converts it to a request. */
import { limits } from "@/api/limits.gen";
import { amountError } from "@/lib/amount-error";
import type { GiftCardPurchase } from "@/state/purchases";
import type { BuyGiftCardRequest } from "./mutations";
import type { Deal } from "./queries";

export type PurchaseField = "amount" | "recipient" | "name" | "message" | "deliverOn" | "payment";
export type PurchaseErrors = Partial<Record<PurchaseField, string>>;

interface PurchaseContext {
  /** The deal that defines the amount. */
  deal: Deal | undefined;
  /** Whether a payment method is selected. */
  hasPayment: boolean;
  /** Cents. */
  minimum: number;
  maximum: number;
  /** Today on this device, 2026-11-22. */
  today: string;
}

/** Returns the cents to pay; null while no amount is chosen. */
export const amountToPay = ({ amount }: GiftCardPurchase, deal: Deal | undefined): number | null =>
  deal ? deal.price.currencyAmount : amount;

/** A rough check; the server validates the address. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Returns the errors by field, or the request without its payment if there are none. */
export function toRequest(
  purchase: GiftCardPurchase,
  { deal, hasPayment, minimum, maximum, today }: PurchaseContext,
): { errors: PurchaseErrors } | { request: Omit<BuyGiftCardRequest, "payment"> } {
  const amount = amountToPay(purchase, deal);
  const errors: PurchaseErrors = { ...recipientErrors(purchase, today) };
  if (!deal) {
    const error = amountError(amount, minimum, maximum);
    if (error) errors.amount = error;
  }
  if (!hasPayment) errors.payment = "Payment method is required";
  if (Object.keys(errors).length > 0 || amount === null) return { errors };
  const { recipient, design, dealId, message, deliverOn } = purchase;
  const isGift = recipient.kind !== "self";
  return {
    request: {
      amount,
      design,
      recipient: isGift
        ? { kind: recipient.kind, value: recipient.value.trim(), name: recipient.name.trim() || null }
        : { kind: "self" },
      ...(deal && dealId ? { dealId } : {}),
      ...(isGift && message.trim() ? { message: message.trim() } : {}),
      ...(isGift && deliverOn ? { deliverOn } : {}),
    },
  };
}

function recipientErrors(purchase: GiftCardPurchase, today: string): PurchaseErrors {
  const { recipient, message, deliverOn } = purchase;
  const errors: PurchaseErrors = {};
  if (recipient.kind === "self") return errors;
  if (recipient.kind === "phone" && !isPhone(recipient.value)) errors.recipient = "Enter a phone number.";
  if (recipient.kind === "email" && !EMAIL.test(recipient.value.trim())) {
    errors.recipient = "Enter an email address.";
  }
  if (recipient.name.trim().length > limits.nameLength) {
    errors.name = `Use ${limits.nameLength} characters or fewer.`;
  }
  if (message.trim().length > limits.giftMessageLength) {
    errors.message = `Use ${limits.giftMessageLength} characters or fewer.`;
  }
  if (deliverOn !== "" && (deliverOn < today || deliverOn > latestDelivery(today))) {
    errors.deliverOn = "Choose a date within the next year.";
  }
  return errors;
}

/** US numbers with or without country, or an international one. The server normalizes it. */
function isPhone(text: string): boolean {
  const digits = text.replace(/[\s().-]/g, "");
  return /^(?:\+\d{8,15}|1?\d{10})$/.test(digits);
}

/** The last day on which a card can be delivered: within a year, one day less for time zones. */
export function latestDelivery(today: string): string {
  const date = new Date(`${today}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 364);
  return date.toISOString().slice(0, 10);
}

/** Returns today in the time zone of the device, 2026-11-22. */
export const todayOnDevice = (now: Date): string => new Intl.DateTimeFormat("en-CA").format(now);
