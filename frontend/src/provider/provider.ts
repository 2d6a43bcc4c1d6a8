/** Types of the parts of the provider's browser library that the app uses. */

/** `message` is written for the consumer. */
export interface ProviderError {
  type: string;
  code?: string;
  message?: string;
  /** The setup as it is now, with errors of a confirmation. */
  setup_intent?: Intent;
}

/** State of the card element; never contains card data. */
export interface CardChange {
  complete: boolean;
  empty: boolean;
  error?: ProviderError | undefined;
}

interface ElementStyle {
  base?: Record<string, unknown>;
  invalid?: Record<string, unknown>;
}

/** The card element: a frame of the provider. */
export interface CardElement {
  mount(where: HTMLElement): void;
  update(options: { style: ElementStyle }): void;
  destroy(): void;
  focus(): void;
  on(event: "ready" | "focus" | "blur", listener: () => void): unknown;
  on(event: "change", listener: (change: CardChange) => void): unknown;
}

interface Intent {
  id: string;
  status: string;
}

interface Total {
  label: string;
  /** Cents. */
  amount: number;
}

/** The browser's payment sheet with Apple Pay or Google Pay. `show` works only in the handler of a click. */
interface PaymentSheet {
  canMakePayment(): Promise<{ applePay?: boolean; googlePay?: boolean } | null>;
  update(options: { total: Total }): void;
  show(): void;
  on(event: "paymentmethod", listener: (event: SheetPayment) => void): unknown;
  on(event: "cancel", listener: () => void): unknown;
}

/** The consumer confirmed the payment. `complete` closes the sheet. */
interface SheetPayment {
  paymentMethod: { id: string };
  complete(status: "success" | "fail"): void;
}

interface Elements {
  create(type: "card", options: { style?: ElementStyle }): CardElement;
}

/** A font that the provider's frames load. They are another site, so the server of the font has to allow that. */
interface CustomFont {
  family: string;
  /** `url(…)` with an absolute address. */
  src: string;
  weight: string;
}

export interface Provider {
  elements(options?: { fonts?: readonly CustomFont[] }): Elements;
  /** Saves the card of the element, including authentication with the bank if required. */
  confirmCardSetup(
    clientSecret: string,
    data: { payment_method: { card: CardElement; billing_details?: { name?: string } } },
  ): Promise<{ setupIntent?: Intent; error?: ProviderError }>;
  /** Lets the consumer choose a bank account. The status stays `requires_payment_method` if the consumer cancels. */
  collectBankAccountForSetup(options: {
    clientSecret: string;
    params: {
      payment_method_type: "us_bank_account";
      payment_method_data: { billing_details: { name: string; email?: string } };
    };
  }): Promise<{ setupIntent?: Intent; error?: ProviderError }>;
  /** Saves the chosen bank account. The consumer has accepted the mandate. */
  confirmUsBankAccountSetup(clientSecret: string): Promise<{ setupIntent?: Intent; error?: ProviderError }>;
  paymentRequest(options: { country: "US"; currency: "usd"; total: Total }): PaymentSheet;
  /** Shows the authentication of the bank for a payment. */
  handleNextAction(options: {
    clientSecret: string;
  }): Promise<{ paymentIntent?: Intent; error?: ProviderError }>;
}

export type ProviderFactory = (publishableKey: string) => Provider;
