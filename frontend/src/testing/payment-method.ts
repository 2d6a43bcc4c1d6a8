import type { PaymentMethod } from "@/features/payment-methods/queries";

/** Creates a payment method. */
export const makeMethod = (
  id: string,
  type: PaymentMethod["type"],
  overrides: Partial<PaymentMethod> = {},
): PaymentMethod => ({
  id,
  paymentMethodId: id,
  paymentId: id,
  type,
  displayName: id,
  name: "",
  amount: null,
  isDefault: false,
  expired: false,
  companyId: null,
  companyName: null,
  expDate: null,
  institutionName: null,
  last4: null,
  accountType: null,
  giftCardImage: null,
  storeId: null,
  ...overrides,
});

export const visa = makeMethod("pay_visa", "card", {
  institutionName: "Visa",
  last4: "4242",
  expDate: "12/34",
  name: "Credit Card",
});
export const bank = makeMethod("pay_bank", "bank", {
  institutionName: "First Valley Bank",
  last4: "7731",
  name: "Bank Account",
});
export const joePass = makeMethod("bal_1", "joebucks", {
  paymentId: "joebucks",
  displayName: "JoePass",
  name: "JoeBucks",
  amount: 2460,
});
