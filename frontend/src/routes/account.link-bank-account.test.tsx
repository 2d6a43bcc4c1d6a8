import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import { bank } from "@/testing/payment-method";
import { mockProvider } from "@/testing/provider";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";
import { toast } from "@/ui/toast";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const collectBankAccountForSetup = vi.fn();
const confirmUsBankAccountSetup = vi.fn();

beforeEach(() => {
  vi.mocked(toast).mockClear();
  collectBankAccountForSetup.mockReset().mockResolvedValue({
    setupIntent: { id: "seti_1", status: "requires_confirmation" },
  });
  confirmUsBankAccountSetup.mockReset().mockResolvedValue({
    setupIntent: { id: "seti_1", status: "succeeded" },
  });
  mockProvider({ collectBankAccountForSetup, confirmUsBankAccountSetup });
});

const session = {
  clientSecret: "seti_1_secret_1",
  publishableKey: "pk_test",
  scriptUrl: "https://provider.example/v1/js",
  mandate: "You authorize Order Ahead to debit your account.",
  feeConsent: "A returned debit costs $5.00.",
};

async function openForm(search = "") {
  server.use(
    mockGet("/payment/add-bank/", session),
    mockGet("/payments/list", { paymentMethods: [] }),
    mockGet("/user/wallet", { balances: [] }),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
  );
  const app = await renderRoute(`/account/link-bank-account${search}`, { session: maya });
  const button = await screen.findByRole("button", { name: "Agree and choose account" });
  return { ...app, submit: () => app.user.click(button) };
}

it("shows mandate and fee, links the account, and selects it for the next purchase", async () => {
  const { submit, router } = await openForm();
  expect(screen.getByText(session.mandate)).toBeInTheDocument();
  expect(screen.getByText(session.feeConsent)).toBeInTheDocument();
  const addBankAccount = vi.fn(() => ({ paymentMethods: [bank] }));
  server.use(mockPost("/user/bank-account", addBankAccount));
  await submit();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
  expect(collectBankAccountForSetup).toHaveBeenCalledWith({
    clientSecret: session.clientSecret,
    params: {
      payment_method_type: "us_bank_account",
      payment_method_data: { billing_details: { name: "Maya Okafor", email: "maya@example.com" } },
    },
  });
  expect(confirmUsBankAccountSetup).toHaveBeenCalledWith(session.clientSecret);
  expect(addBankAccount).toHaveBeenCalledWith(undefined, expect.anything());
  expect([addedMethod.get(), device.checkout.get()]).toEqual(["pay_bank", null]);
  expect(toast).toHaveBeenCalledWith("Bank account linked", "success");
});

it("requires a name", async () => {
  const { submit, user } = await openForm();
  await user.clear(screen.getByRole("textbox", { name: "Name on the account" }));
  await submit();
  expect(screen.getByText("Enter the name on the account.")).toBeInTheDocument();
  expect(collectBankAccountForSetup).not.toHaveBeenCalled();
});

it.each([
  [
    "the consumer cancels",
    { setupIntent: { id: "s", status: "requires_payment_method" } },
    undefined,
    /No account was linked/,
  ],
  [
    "the provider rejects the account",
    { error: { type: "e", message: "This account can't be used." } },
    undefined,
    /can't be used/,
  ],
  [
    "the bank verifies with a deposit",
    undefined,
    { setupIntent: { id: "s", status: "requires_action" } },
    /small deposit/,
  ],
  [
    "the bank takes longer",
    undefined,
    { setupIntent: { id: "s", status: "processing" } },
    /still confirming/,
  ],
])("explains that %s", async (_, collected, confirmed, text) => {
  if (collected) collectBankAccountForSetup.mockResolvedValue(collected);
  if (confirmed) confirmUsBankAccountSetup.mockResolvedValue(confirmed);
  const { submit } = await openForm();
  await submit();
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it("explains a failed import", async () => {
  const { submit } = await openForm();
  server.use(mockPostError("/user/bank-account", { status: 503 }));
  await submit();
  expect(await screen.findByText(/isn't available right now/)).toBeInTheDocument();
});

it("offers to load the form again", async () => {
  server.use(mockGetError("/payment/add-bank/", { status: 503 }));
  const { user } = await renderRoute("/account/link-bank-account", { session: maya });
  const retry = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/payment/add-bank/", session));
  await user.click(retry);
  expect(await screen.findByRole("button", { name: "Agree and choose account" })).toBeInTheDocument();
});

it("offers a card or a bank account, and keeps the path to return to", async () => {
  const { user, router } = await renderRoute("/account/add-payment?userId=consumer-maya&next=/checkout", {
    session: maya,
  });
  server.use(mockGet("/payment/add-bank/", session));
  expect(await screen.findByRole("link", { name: /^Credit or debit card/ })).toHaveAttribute(
    "href",
    expect.stringContaining("next=%2Fcheckout"),
  );
  await user.click(screen.getByRole("link", { name: /^Bank account/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/account/link-bank-account"));
  expect(router.state.location.search).toMatchObject({ next: "/checkout" });
});
