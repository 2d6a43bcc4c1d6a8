/** The few parts of the provider's browser library that we use, in its own words. */

/** Why the provider did not do it; `message` is for the person. */
export interface ProviderError {
  type: string;
  code?: string;
  message?: string;
}

/** What the element says while a person types; never what was typed. */
export interface CardChange {
  complete: boolean;
  empty: boolean;
  error?: ProviderError | undefined;
}

interface ElementStyle {
  base?: Record<string, unknown>;
  invalid?: Record<string, unknown>;
}

/** The card element: a frame of the provider's in our page. */
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
  /** Saves the element's card, with the bank's question where it has one. */
  confirmCardSetup(
    clientSecret: string,
    data: { payment_method: { card: CardElement; billing_details?: { name?: string } } },
  ): Promise<{ setupIntent?: Intent; error?: ProviderError }>;
  /** Lets the person answer what their bank asks about a payment. */
  handleNextAction(options: {
    clientSecret: string;
  }): Promise<{ paymentIntent?: Intent; error?: ProviderError }>;
}

export type ProviderFactory = (publishableKey: string) => Provider;
