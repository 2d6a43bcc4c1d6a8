import { queryOptions, useQuery } from "@tanstack/react-query";
import { read } from "@/api/client";
import { type DeviceWallet, findDeviceWallet, type WalletType } from "@/provider/device-wallet";
import type { PaymentMethod } from "./queries";

/** The wallets of this device. Without them, or if the provider's script fails to load, the app offers none. */
const deviceWalletQuery = queryOptions({
  queryKey: ["device-wallet"],
  queryFn: () => findDeviceWallet(() => read("/api/stripe/script", {})),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** Returns the wallets of this device; undefined until they are known, and if there are none. */
export function useDeviceWallet(): DeviceWallet | undefined {
  const { data } = useQuery(deviceWalletQuery);
  return data && data.types.length > 0 ? data : undefined;
}

const NAMES: Readonly<Record<WalletType, string>> = { apple: "Apple Pay", google: "Google Pay" };

/** The ids of the built-in entries (specification section 3). */
const PAYMENT_IDS: Readonly<Record<DeviceWallet["place"], Record<WalletType, string>>> = {
  native: { apple: "apple_pay_native", google: "google_pay_native" },
  web: { apple: "apple_pay_web", google: "google_pay_web" },
};

/** Returns the wallets of the device as payment methods. */
export function walletMethods(wallet: DeviceWallet | undefined): PaymentMethod[] {
  if (!wallet) return [];
  return wallet.types.map((type) => {
    const paymentId = PAYMENT_IDS[wallet.place][type];
    return {
      id: paymentId,
      paymentMethodId: paymentId,
      paymentId,
      type,
      displayName: NAMES[type],
      name: NAMES[type],
      expDate: null,
      institutionName: null,
      last4: null,
      accountType: null,
      amount: null,
      isDefault: false,
      expired: false,
      companyId: null,
      companyName: null,
      giftCardImage: null,
      storeId: null,
    };
  });
}

export const isWallet = ({ type }: Pick<PaymentMethod, "type">): boolean =>
  type === "apple" || type === "google";
