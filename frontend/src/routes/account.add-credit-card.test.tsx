import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PaymentMethod } from "@/features/payment-methods/queries";
import type { CardChange, CardElement, ProviderFactory } from "@/provider/provider";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";

const visa: PaymentMethod = {
  id: "pay_visa",
  paymentMethodId: "pay_visa",
  type: "card",
  displayName: "Visa ···· 4242",
  name: "Credit Card",
  amount: null,
  isDefault: false,
  expired: false,
  companyId: null,
  companyName: null,
  expDate: "12/34",
  institutionName: "visa",
  last4: "4242",
  accountType: null,
};

/** The provider's element as far as the screen sees it: a test fills it in by telling what it says. */
const confirmCardSetup = vi.fn();
let say: (change: CardChange) => void;

beforeEach(() => {
  confirmCardSetup.mockResolvedValue({ setupIntent: { status: "succeeded" } });
  const element = {
    mount: () => undefined,
    destroy: () => undefined,
    focus: () => undefined,
    on(event: string, listener: (change: CardChange) => void) {
      if (event === "ready") queueMicrotask(() => listener({ complete: false, empty: true }));
      if (event === "change") say = listener;
    },
  } as CardElement;
  window.Stripe = (() => ({
    elements: () => ({ create: () => element }),
    confirmCardSetup,
  })) as unknown as ProviderFactory;
});
afterEach(() => {
  delete window.Stripe;
});

async function openForm() {
  server.use(
    mockPost("/api/stripe/card/secret", () => ({
      clientSecret: "seti_1_secret_1",
      publishableKey: "pk_test",
      scriptUrl: "https://provider.example/v1/js",
    })),
    mockGet("/payments/list", { paymentMethods: [] }),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
  );
  const app = await renderRoute("/account/add-credit-card?userId=consumer-maya", { session: maya });
  await screen.findByRole("group", { name: "Card" });
  return { ...app, save: () => app.user.click(screen.getByRole("button", { name: "Save card" })) };
}

it("saves the card with the provider, takes it over, and chooses it for the checkout", async () => {
  const { save, router } = await openForm();
  const takenOver = vi.fn(() => ({ paymentMethods: [visa] }));
  server.use(mockPost("/payment/add-card", takenOver));
  say({ complete: true, empty: false });
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
  expect(confirmCardSetup).toHaveBeenCalledWith(
    "seti_1_secret_1",
    expect.objectContaining({
      payment_method: expect.objectContaining({ billing_details: { name: "Maya Okafor" } }),
    }),
  );
  // The call has no body.
  expect(takenOver).toHaveBeenCalledWith(undefined, expect.anything());
  expect(device.checkout.get()).toEqual({ paymentId: "pay_visa", paymentType: "card" });
});

it("says what the provider says about a card, and takes another one", async () => {
  const { save } = await openForm();
  confirmCardSetup.mockResolvedValueOnce({
    error: { type: "card_error", message: "Your card was declined." },
  });
  say({ complete: true, empty: false });
  await save();
  expect(await screen.findByText("Your card was declined.")).toBeInTheDocument();
  say({ complete: false, empty: false });
  await waitFor(() => expect(screen.queryByText("Your card was declined.")).toBeNull());
});

it("asks for what is missing before it asks the provider", async () => {
  const { save } = await openForm();
  await save();
  expect(await screen.findByText("Enter your card details.")).toBeInTheDocument();
  expect(confirmCardSetup).not.toHaveBeenCalled();
});

it("offers to try again where there is no set-up", async () => {
  server.use(mockPostError("/api/stripe/card/secret", { status: 503 }));
  await renderRoute("/account/add-credit-card", { session: maya });
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
});
