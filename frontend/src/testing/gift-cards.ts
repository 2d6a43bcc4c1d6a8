import type { Deal } from "@/features/gift-cards/queries";
import type { AddFundsOptions, WalletBalance } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import type { Purchase } from "@/provider/purchase";
import { visa } from "./payment-method";

/** Creates a balance of stored value. */
export const makeBalance = (
  id: string,
  kind: WalletBalance["kind"],
  amount: number,
  overrides: Partial<WalletBalance> = {},
): WalletBalance => ({
  id,
  type: "joebucks",
  kind,
  balance: cents(amount),
  held: cents(0),
  pending: cents(0),
  companyId: null,
  companyName: null,
  isActive: true,
  giftCardId: kind === "JoePass" ? null : `gft_${id}`,
  design: null,
  codeSuffix: null,
  ...overrides,
});

export const joePassBalance = makeBalance("bal_pass", "JoePass", 1220);
export const birthdayCard = makeBalance("bal_gift", "GiftCard", 2500, {
  design: "birthday",
  codeSuffix: "4F7K",
});
export const companyCard = makeBalance("bal_juniper", "CompanyCard", 4200, {
  companyId: "juniper",
  companyName: "Juniper Lane",
});

/** Creates a deal: pay $50, get $60. */
export const makeDeal = (id: string, overrides: Partial<Deal> = {}): Deal => ({
  id,
  title: "Holiday bonus",
  description: "",
  price: cents(5000),
  value: cents(6000),
  companyId: null,
  companyName: null,
  endsAt: null,
  usesLeft: 1,
  ...overrides,
});

/** Creates a completed purchase of $25. */
export const makePurchase = (overrides: Partial<Purchase> = {}): Purchase => ({
  purchaseId: "pur_1",
  state: "Completed",
  amount: cents(2500),
  value: cents(2500),
  createdAt: new Date().toISOString(),
  isAutomatic: false,
  companyId: null,
  companyName: null,
  clientSecret: null,
  providerScript: null,
  balance: null,
  giftCard: { id: "gft_1" },
  ...overrides,
});

/** Suggested amounts and limits, with auto-reload off. */
export const addFundsOptions: AddFundsOptions = {
  presets: [1000, 2500, 5000],
  minimum: 1000,
  maximum: 50_000,
  methods: [visa],
  autoReload: {
    enabled: false,
    threshold: cents(1000),
    amount: cents(2500),
    paymentMethodId: null,
    pausedUntil: null,
    frozenUntil: null,
  },
  autoReloadMinimum: 1000,
  autoReloadMaximum: 50_000,
  autoReloadMaximumThreshold: 20_000,
};
