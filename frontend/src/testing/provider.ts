import { vi } from "vitest";
import type { Provider } from "@/provider/provider";

interface SheetEvents {
  paymentmethod: (event: { paymentMethod: { id: string }; complete: (status: string) => void }) => void;
  cancel: () => void;
}

let current: object = {};

/** Replaces the provider's browser library. The app loads it once per page, so each test replaces its content. */
export function mockProvider(provider: object): void {
  current = provider;
  window.Stripe = () =>
    new Proxy({} as Provider, { get: (_, name) => current[name as keyof typeof current] as unknown });
}

/** Mocks a browser with Google Pay, and the provider's payment sheet. Unstub globals afterwards. */
export function mockPaymentSheet() {
  const listeners: Partial<SheetEvents> = {};
  const sheet = {
    canMakePayment: vi.fn(async () => ({ applePay: false, googlePay: true })),
    update: vi.fn(),
    show: vi.fn(),
    on: <Name extends keyof SheetEvents>(name: Name, listener: SheetEvents[Name]) => {
      listeners[name] = listener;
    },
  };
  const complete = vi.fn();
  const paymentRequest = vi.fn(() => sheet);
  vi.stubGlobal("PaymentRequest", class {});
  mockProvider({ paymentRequest });
  return {
    ...sheet,
    paymentRequest,
    complete,
    /** The consumer confirms the payment. */
    confirm: (id = "pm_wallet") => listeners.paymentmethod?.({ paymentMethod: { id }, complete }),
    cancel: () => listeners.cancel?.(),
  };
}
