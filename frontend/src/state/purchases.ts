import { personalItem } from "./personal-item";

export type RecipientKind = "self" | "phone" | "email";

/** The gift card that the consumer is choosing. Kept while they add a payment method, or look something up. */
export interface GiftCardPurchase {
  /** Cents; null until chosen. Ignored with a deal. */
  amount: number | null;
  dealId: string | null;
  recipient: { kind: RecipientKind; value: string; name: string };
  message: string;
  /** A date, 2026-12-24; empty for now. */
  deliverOn: string;
  design: string;
  paymentMethodId: string | null;
}

export const giftCardPurchase = personalItem<GiftCardPurchase>({
  amount: null,
  dealId: null,
  recipient: { kind: "self", value: "", name: "" },
  message: "",
  deliverOn: "",
  design: "classic",
  paymentMethodId: null,
});

/** The company card that the consumer is choosing. */
export interface CompanyGiftCardPurchase {
  companyId: string;
  /** Cents; null until chosen. Ignored with a deal. */
  amount: number | null;
  dealId: string | null;
  paymentMethodId: string | null;
}

export const companyGiftCardPurchase = personalItem<CompanyGiftCardPurchase>({
  companyId: "",
  amount: null,
  dealId: null,
  paymentMethodId: null,
});
