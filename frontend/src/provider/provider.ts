/** Types of the parts of the provider's browser library that the app uses. */

/** `message` is written for the consumer. */
export interface ProviderError {
  type: string;
  code?: string;
  message?: string;
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
  destroy(): void;
  focus(): void;
  on(event: "ready" | "focus" | "blur", listener: () => void): unknown;
  on(event: "change", listener: (change: CardChange) => void): unknown;
}

interface Intent {
  status: string;
}

interface Elements {
  create(type: "card", options: { style?: ElementStyle }): CardElement;
}

export interface Provider {
  elements(): Elements;
  /** Saves the card of the element, including authentication with the bank if required. */
  confirmCardSetup(
    clientSecret: string,
    data: { payment_method: { card: CardElement; billing_details?: { name?: string } } },
  ): Promise<{ setupIntent?: Intent; error?: ProviderError }>;
  /** Shows the authentication of the bank for a payment. */
  handleNextAction(options: {
    clientSecret: string;
  }): Promise<{ paymentIntent?: Intent; error?: ProviderError }>;
}

export type ProviderFactory = (publishableKey: string) => Provider;
