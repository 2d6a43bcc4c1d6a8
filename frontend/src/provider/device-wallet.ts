/**
 * Apple Pay and Google Pay of this device: in a native shell through its payment message, in a browser through the provider's
 * payment sheet (specification sections 4 and 5).
 */
import { isInNativeShell } from "@/native/shell";
import { device } from "@/state/device";
import { loadProvider } from "./script";

export type WalletType = "apple" | "google";

interface WalletTotal {
  /** The name on the payment sheet. */
  label: string;
  /** Cents. */
  amount: number;
}

export interface DeviceWallet {
  types: readonly WalletType[];
  place: "native" | "web";
  /**
   * Lets the consumer pay. Resolves to the id of the provider's payment method, or to null if the consumer cancels. Call it in
   * the handler of a click. While a payment is open, further calls return that payment: a sheet opens once.
   */
  pay(total: WalletTotal): Promise<string | null>;
}

const NO_WALLET: DeviceWallet = { types: [], place: "web", pay: async () => null };

/** Finds the wallets of this device. `script` is called only in a browser that has payment requests. */
export async function findDeviceWallet(
  script: () => Promise<Parameters<typeof loadProvider>[0]>,
): Promise<DeviceWallet> {
  if (isInNativeShell()) {
    const types: WalletType[] = isAppleDevice() ? ["apple"] : ["google"];
    const { requestNativePayment } = await import("@/native/payment");
    return { types, place: "native", pay: once(({ amount }) => requestNativePayment(amount)) };
  }
  if (!("PaymentRequest" in window)) return NO_WALLET;
  return findWebWallet(await script());
}

async function findWebWallet(script: Parameters<typeof loadProvider>[0]): Promise<DeviceWallet> {
  const provider = await loadProvider(script);
  const sheet = provider.paymentRequest({
    country: "US",
    currency: "usd",
    total: { label: "Order Ahead", amount: 0 },
  });
  const available = await sheet.canMakePayment();
  let finish: (paymentMethodId: string | null) => void = () => undefined;
  sheet.on("paymentmethod", ({ paymentMethod, complete }) => {
    complete("success");
    finish(paymentMethod.id);
  });
  sheet.on("cancel", () => finish(null));
  const types: WalletType[] = [];
  if (available?.applePay) types.push("apple");
  if (available?.googlePay) types.push("google");
  return {
    types,
    place: "web",
    pay: once(
      (total) =>
        new Promise((resolve) => {
          finish = resolve;
          sheet.update({ total });
          sheet.show();
        }),
    ),
  };
}

/** Returns the running payment instead of opening a second one. */
function once(pay: DeviceWallet["pay"]): DeviceWallet["pay"] {
  let running: Promise<string | null> | undefined;
  return (total) => {
    running ??= pay(total).finally(() => {
      running = undefined;
    });
    return running;
  };
}

function isAppleDevice(): boolean {
  const source = device.sourceDevice.get();
  return source === "ios" || (source !== "android" && /iPhone|iPad|iPod/.test(navigator.userAgent));
}
