import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { settingsQuery } from "@/features/account/queries";
import { addFundsQuery, type WalletBalance } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { addFundsOptions } from "@/testing/gift-cards";
import { bank, visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, server } from "@/testing/server";
import { settings } from "@/testing/settings";

const pass: WalletBalance = {
  id: "bal_1",
  type: "joebucks",
  kind: "JoePass",
  balance: cents(1220),
  held: cents(0),
  pending: cents(2500),
  companyId: null,
  companyName: null,
  isActive: true,
  giftCardId: null,
  design: null,
  codeSuffix: null,
};
const company: WalletBalance = {
  ...pass,
  id: "bal_2",
  kind: "CompanyCard",
  companyId: "northside",
  companyName: "Northside",
  balance: cents(1800),
  pending: cents(0),
  isActive: false,
};

async function openWallet(methods = [visa, { ...bank, isDefault: true }], balances = [pass, company]) {
  server.use(
    mockGet("/user/wallet", { balances }),
    mockGet("/payments/list", { paymentMethods: methods }),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/wallet/add-funds", addFundsOptions),
  );
  return renderRoute("/wallet", { session: maya });
}

it("shows balances, methods and the default", async () => {
  await openWallet();
  expect(await screen.findByText("$12.20")).toBeInTheDocument();
  expect(screen.getByText("$25.00 more is on its way from your bank")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Add funds" })).toHaveAttribute("href", "/wallet/add-funds");
  const cards = screen.getByRole("list", { name: "Cards" });
  expect(within(cards).getByText("Northside card")).toBeInTheDocument();
  expect(within(cards).getByText("Off")).toBeInTheDocument();
  const methods = within(await screen.findByRole("list", { name: "Payment methods" }));
  const [first, second] = methods.getAllByRole("listitem");
  expect(within(first as HTMLElement).queryByText("Default")).toBeNull();
  expect(within(second as HTMLElement).getByText("Default")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Add a payment method" })).toHaveAttribute(
    "href",
    "/account/add-payment?userId=consumer-maya&next=%2Fwallet",
  );
  expect(await screen.findByText("No activity yet.")).toBeInTheDocument();
});

it("shows the JoePass at zero and the next step without methods", async () => {
  await openWallet([], []);
  expect(await screen.findByText("$0.00")).toBeInTheDocument();
  expect(await screen.findByText(/Add a card or bank account/)).toBeInTheDocument();
});

it("keeps the other sections if one fails, and loads it again", async () => {
  await openWallet();
  server.use(mockGetError("/user/wallet", { status: 400 }));
  const { user } = await renderRoute("/wallet", { session: maya });
  const notice = await screen.findByText("We can't load your balance right now. Your money is safe.");
  expect((await screen.findAllByRole("list", { name: "Payment methods" })).length).toBeGreaterThan(0);
  server.use(mockGet("/user/wallet", { balances: [pass] }));
  await user.click(within(notice.parentElement as HTMLElement).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(notice).not.toBeInTheDocument());
});

describe("editing a method", () => {
  const openSheet = async (name: RegExp) => {
    const app = await openWallet();
    server.use(mockGet("/payment", name.test("Visa") ? visa : { ...bank, isDefault: true }));
    await app.user.click(await screen.findByRole("button", { name: new RegExp(`^Edit ${name.source}`) }));
    await screen.findByRole("dialog");
    return app;
  };

  it("sets the default", async () => {
    const { user } = await openSheet(/Visa/);
    const setDefault = vi.fn(() => ({ paymentMethods: [] }));
    server.use(mockPost("/payment/set-default", setDefault));
    await user.click(screen.getByRole("button", { name: "Set as default" }));
    await waitFor(() =>
      expect(setDefault).toHaveBeenCalledWith({ paymentMethodId: "pay_visa" }, expect.anything()),
    );
  });

  it("unsets the default without a body", async () => {
    const { user } = await openSheet(/First Valley Bank/);
    const unsetDefault = vi.fn(() => ({ paymentMethods: [] }));
    server.use(mockPost("/payment/unset-default", unsetDefault));
    await user.click(await screen.findByRole("button", { name: "Remove as default" }));
    await waitFor(() => expect(unsetDefault).toHaveBeenCalledWith(undefined, expect.anything()));
  });

  it("removes a method after a confirmation", async () => {
    const { user } = await openSheet(/Visa/);
    const remove = vi.fn(() => ({ paymentMethods: [] }));
    server.use(mockPost("/payment/delete", remove));
    await user.click(screen.getByRole("button", { name: "Remove" }));
    expect(remove).not.toHaveBeenCalled();
    expect(screen.getByText(/^You can add it again later/)).toBeVisible();
    expect(screen.queryByText(/Auto-reload/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Yes, remove" }));
    await waitFor(() =>
      expect(remove).toHaveBeenCalledWith({ paymentMethodId: "pay_visa" }, expect.anything()),
    );
  });

  it.each([
    [/Visa/, visa, "card"],
    [/First Valley Bank/, bank, "bank account"],
  ])("warns that removing %s turns off the automatic reloads that use it", async (name, method, kind) => {
    const { user, queryClient, router } = await openSheet(name);
    const autoReload = { ...addFundsOptions.autoReload, paymentMethodId: method.paymentMethodId };
    server.use(
      mockGet("/user/wallet/add-funds", { ...addFundsOptions, autoReload: { ...autoReload, enabled: true } }),
      mockPost("/payment/delete", () => ({ paymentMethods: [] })),
    );
    await queryClient.invalidateQueries({ queryKey: addFundsQuery.queryKey });
    queryClient.setQueryData(settingsQuery.queryKey, { ...settings, autoReload });
    const note = await screen.findByText(new RegExp(`Auto-reload with this ${kind} will be turned off\\.`));
    expect(note).not.toBeVisible();
    await user.click(screen.getByRole("button", { name: "Remove" }));
    expect(note).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Yes, remove" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(queryClient.getQueryState(settingsQuery.queryKey)).toMatchObject({ isInvalidated: true });
    server.use(mockGet("/user/wallet/add-funds", addFundsOptions));
    await router.navigate({ to: "/wallet/auto-reload" });
    expect(await screen.findByRole("button", { name: /^Turn on/ })).toBeInTheDocument();
  });
});
