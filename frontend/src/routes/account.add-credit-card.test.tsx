import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addFundsQuery } from "@/features/wallet/queries";
import type { CardChange, CardElement, ProviderFactory } from "@/provider/provider";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import { addFundsOptions } from "@/testing/gift-cards";
import { visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";

const confirmCardSetup = vi.fn();
/** Simulates input in the provider's element. */
let emitChange: (change: CardChange) => void;

const elements = vi.fn();
const update = vi.fn();

beforeEach(() => {
  confirmCardSetup.mockReset().mockResolvedValue({ setupIntent: { id: "seti_1", status: "succeeded" } });
  const element = {
    mount: () => undefined,
    update,
    destroy: () => undefined,
    focus: () => undefined,
    on(event: string, listener: (change: CardChange) => void) {
      if (event === "ready") queueMicrotask(() => listener({ complete: false, empty: true }));
      if (event === "change") emitChange = listener;
    },
  } as CardElement;
  window.Stripe = (() => ({
    elements: (options: unknown) => {
      elements(options);
      return { create: () => element };
    },
    confirmCardSetup,
  })) as unknown as ProviderFactory;
});
afterEach(() => {
  delete window.Stripe;
});

async function openForm(search = "userId=consumer-maya") {
  server.use(
    mockPost("/api/stripe/card/secret", () => ({
      clientSecret: "seti_1_secret_1",
      publishableKey: "pk_test",
      scriptUrl: "https://provider.example/v1/js",
    })),
    mockGet("/payments/list", { paymentMethods: [] }),
    mockGet("/user/wallet", { balances: [] }),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
  );
  const app = await renderRoute(`/account/add-credit-card?${search}`, { session: maya });
  await screen.findByRole("group", { name: "Card" });
  return { ...app, save: () => app.user.click(screen.getByRole("button", { name: "Save card" })) };
}

it("saves the card with the provider, imports it, and selects it for the next purchase", async () => {
  const { save, router } = await openForm();
  const addCard = vi.fn(() => ({ paymentMethods: [visa] }));
  server.use(mockPost("/payment/add-card", addCard));
  emitChange({ complete: true, empty: false });
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
  expect(confirmCardSetup).toHaveBeenCalledWith(
    "seti_1_secret_1",
    expect.objectContaining({
      payment_method: expect.objectContaining({ billing_details: { name: "Maya Okafor" } }),
    }),
  );
  expect(addCard).toHaveBeenCalledWith(undefined, expect.anything());
  // At checkout, stored value comes first.
  expect([addedMethod.get(), device.checkout.get()]).toEqual(["pay_visa", null]);
});

it("passes the font of the app to the provider's frame", async () => {
  await openForm();
  const [font] = elements.mock.lastCall?.[0].fonts ?? [];
  expect(font).toMatchObject({ family: "Figtree Text", weight: "400 700" });
  expect(font.src).toMatch(/^url\(http:.+figtree-text.*\.woff2\)$/);
});

it("changes the colors of the frame with the theme of the device", async () => {
  const theme = Object.assign(new EventTarget(), { matches: false, media: "" });
  vi.stubGlobal("matchMedia", () => theme);
  await openForm();
  theme.dispatchEvent(new Event("change"));
  expect(update).toHaveBeenCalledExactlyOnceWith({
    style: expect.objectContaining({ base: expect.objectContaining({ color: expect.anything() }) }),
  });
  vi.unstubAllGlobals();
});

it("offers the card for adding funds at once", async () => {
  const { save, queryClient } = await openForm();
  queryClient.setQueryData(addFundsQuery.queryKey, addFundsOptions);
  server.use(mockPost("/payment/add-card", () => ({ paymentMethods: [visa] })));
  emitChange({ complete: true, empty: false });
  await save();
  await waitFor(() =>
    expect(queryClient.getQueryState(addFundsQuery.queryKey)).toMatchObject({ isInvalidated: true }),
  );
});

it("saves the card as the default", async () => {
  const { save, user } = await openForm();
  const savePaymentMethod = vi.fn(() => ({ paymentMethods: [visa] }));
  server.use(mockPost("/payment/save", savePaymentMethod));
  emitChange({ complete: true, empty: false });
  await user.click(screen.getByRole("checkbox", { name: "Make this my default" }));
  await save();
  await waitFor(() =>
    expect(savePaymentMethod).toHaveBeenCalledWith(
      { setupIntentId: "seti_1", isDefault: true },
      expect.anything(),
    ),
  );
});

it("returns to the page that asked for the card", async () => {
  const { save, router } = await openForm("next=%2Forders");
  server.use(mockPost("/payment/add-card", () => ({ paymentMethods: [visa] })));
  emitChange({ complete: true, empty: false });
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/orders"));
});

it("shows the provider's error and accepts another card", async () => {
  const { save } = await openForm();
  confirmCardSetup.mockResolvedValueOnce({
    error: { type: "card_error", message: "Your card was declined." },
  });
  emitChange({ complete: true, empty: false });
  await save();
  expect(await screen.findByText("Your card was declined.")).toBeInTheDocument();
  emitChange({ complete: false, empty: false });
  await waitFor(() => expect(screen.queryByText("Your card was declined.")).toBeNull());
});

it("imports a confirmed card again after a lost import, without a second confirmation", async () => {
  const { save, user, router } = await openForm();
  server.use(mockPostError("/payment/add-card", { status: 503 }));
  emitChange({ complete: true, empty: false });
  await save();
  expect(await screen.findByText(/isn't available right now/)).toBeInTheDocument();
  const savePaymentMethod = vi.fn(() => ({ paymentMethods: [visa] }));
  server.use(mockPost("/payment/save", savePaymentMethod));
  await user.click(screen.getByRole("checkbox", { name: "Make this my default" }));
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
  expect(confirmCardSetup).toHaveBeenCalledOnce();
  expect(savePaymentMethod).toHaveBeenCalledWith(
    { setupIntentId: "seti_1", isDefault: true },
    expect.anything(),
  );
});

it("imports a card whose confirmation was lost", async () => {
  const { save, router } = await openForm();
  confirmCardSetup.mockResolvedValueOnce({
    error: {
      type: "invalid_request_error",
      code: "setup_intent_unexpected_state",
      message: "You cannot confirm this SetupIntent because it has already succeeded.",
      setup_intent: { id: "seti_1", status: "succeeded" },
    },
  });
  server.use(mockPost("/payment/add-card", () => ({ paymentMethods: [visa] })));
  emitChange({ complete: true, empty: false });
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
});

it("opens the sign-in if the session has ended, and returns to the form", async () => {
  const { save, router } = await openForm();
  server.use(mockPostError("/payment/add-card", { status: 401, reason: "UNAUTHENTICATED" }));
  emitChange({ complete: true, empty: false });
  await save();
  expect(await screen.findByText(/^Your session ended/)).toBeInTheDocument();
  expect(router.state.location.search).toMatchObject({
    next: expect.stringMatching(/^\/account\/add-credit-card/),
  });
});

it("requires card details before it calls the provider", async () => {
  const { save } = await openForm();
  await save();
  expect(await screen.findByText("Enter your card details.")).toBeInTheDocument();
  expect(confirmCardSetup).not.toHaveBeenCalled();
});

it("offers to retry when the setup fails", async () => {
  server.use(mockPostError("/api/stripe/card/secret", { status: 503 }));
  await renderRoute("/account/add-credit-card", { session: maya });
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
});
