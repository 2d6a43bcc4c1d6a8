/** The id of the payment method that was added last, for the next purchase. Client state: it ends with the page. */
let added: string | null = null;

export const addedMethod = {
  get: (): string | null => added,
  set(paymentMethodId: string | null): void {
    added = paymentMethodId;
  },
};
