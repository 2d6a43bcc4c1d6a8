import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Transaction } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { companyGiftCardPurchase } from "@/state/purchases";
import { addFundsOptions, companyCard, joePassBalance, makeDeal, makePurchase } from "@/testing/gift-cards";
import { visa } from "@/testing/payment-method";
import { mockPaymentSheet } from "@/testing/provider";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const deal = makeDeal("dea_j", { companyId: "juniper", companyName: "Juniper Lane" });
const transaction: Transaction = {
  transactionId: "t1",
  kind: "order_held",
  amount: cents(-575),
  balanceAfter: cents(4200),
  at: "2026-11-20T16:40:00Z",
  title: "Order at Sunset & Maltman",
  orderId: "ord_1",
  state: "paid",
  balanceId: companyCard.id,
  balanceKind: "CompanyCard",
  balanceName: "Juniper Lane card",
  storeId: "sunset",
  purchaseId: null,
};

afterEach(() => vi.unstubAllGlobals());

beforeEach(() => {
  companyGiftCardPurchase.clear();
  server.use(
    mockGet("/store/company-info", {
      companyId: "juniper",
      name: "Juniper Lane",
      description: "",
      storeCount: 2,
    }),
    mockGet("/user/wallet", { balances: [joePassBalance, companyCard] }),
    mockGet("/gift-card/deals", { deals: [] }),
    mockGet("/company-gift-card/details", companyCard),
    mockGet("/company-gift-card/history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/wallet/add-funds", addFundsOptions),
    mockGet("/payments/list", { paymentMethods: [visa] }),
  );
});

it("shows the balance of the card with what is on hold and pending", async () => {
  server.use(
    mockGet("/company-gift-card/details", { ...companyCard, held: cents(575), pending: cents(2500) }),
  );
  await renderRoute("/company/juniper/card", { session: maya });
  const card = await screen.findByRole("region", { name: "Juniper Lane card" });
  expect(card).toHaveTextContent("$42.00");
  expect(await screen.findByText(/\$5\.75 more is on hold/)).toBeInTheDocument();
  expect(screen.getByText(/\$25\.00 more is pending/)).toBeInTheDocument();
});

it("switches the card off and on", async () => {
  const off = { ...companyCard, isActive: false };
  const { user, queryClient } = await renderRoute("/company/juniper/card", { session: maya });
  const toggle = await screen.findByRole("switch", { name: "Use at checkout" });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(toggle).toBeChecked();
  const deactivate = vi.fn(() => off);
  server.use(
    mockPost("/company-gift-card/deactivate", deactivate),
    mockGet("/company-gift-card/details", off),
    mockGet("/user/wallet", { balances: [off] }),
  );
  await user.click(toggle);
  expect(await screen.findByText("It's off. Your balance stays.")).toBeInTheDocument();
  await waitFor(() => expect(toggle).not.toHaveAttribute("aria-busy"));
  expect(deactivate).toHaveBeenCalledWith({ companyId: "juniper" }, expect.anything());
  const activate = vi.fn(() => companyCard);
  server.use(
    mockPost("/company-gift-card/activate", activate),
    mockGet("/company-gift-card/details", companyCard),
    mockGet("/user/wallet", { balances: [companyCard] }),
  );
  await user.click(toggle);
  expect(await screen.findByText("We suggest this card at their stores.")).toBeInTheDocument();
  await waitFor(() => expect(activate).toHaveBeenCalledOnce());
});

it("lists activity, orders and what was added", async () => {
  server.use(
    mockGet("/company-gift-card/history", { transactions: [transaction] }),
    mockGet("/company-gift-card/orders", { transactions: [] }),
    mockGet("/company-gift-card/uploads", {
      uploads: [
        makePurchase({ value: cents(3000) }),
        makePurchase({ purchaseId: "p2", state: "Processing" }),
      ],
    }),
  );
  const { user } = await renderRoute("/company/juniper/card", { session: maya });
  expect(await screen.findByText(/Order at Sunset & Maltman/)).toBeInTheDocument();
  await user.click(screen.getByRole("radio", { name: "Orders" }));
  expect(await screen.findByText("No orders with this card yet.")).toBeInTheDocument();
  await user.click(screen.getByRole("radio", { name: "Added" }));
  const added = await screen.findByRole("list", { name: "Added" });
  expect(added).toHaveTextContent("+$30.00You paid $25.00");
  expect(added).toHaveTextContent("Pending until your bank payment clears");
});

it("keeps the card and retries when a list fails to load", async () => {
  server.use(mockGetError("/company-gift-card/history", { status: 400 }));
  const { user } = await renderRoute("/company/juniper/card", { session: maya });
  const retry = await screen.findByRole("button", { name: "Try again" });
  expect(screen.getByRole("region", { name: "Juniper Lane card" })).toBeInTheDocument();
  server.use(mockGet("/company-gift-card/history", { transactions: [] }));
  await user.click(retry);
  expect(await screen.findByText("No activity yet.")).toBeInTheDocument();
});

it("offers the first card with the deals of the company only", async () => {
  server.use(
    mockGet("/user/wallet", { balances: [joePassBalance] }),
    mockGet("/gift-card/deals", { deals: [deal, makeDeal("dea_all", { title: "For all stores" })] }),
  );
  await renderRoute("/company/juniper/card", { session: maya });
  expect(await screen.findByRole("heading", { name: "No Juniper Lane card yet" })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: /Pay \$50, get \$60/ })).toHaveAttribute(
    "href",
    "/company/juniper/buy-card?dealId=dea_j",
  );
  expect(screen.queryByText("For all stores")).toBeNull();
  expect(screen.getByRole("link", { name: "Buy a Juniper Lane card" })).toBeInTheDocument();
});

it("buys the deal of the link, or an amount without a deal", async () => {
  const requests = vi.fn(() => makePurchase({ companyName: "Juniper Lane", value: cents(6000) }));
  server.use(
    mockGet("/gift-card/deals", { deals: [deal] }),
    mockPost("/company-gift-card/purchase", requests),
  );
  const { user } = await renderRoute("/company/juniper/buy-card?dealId=dea_j", { session: maya });
  expect(await screen.findByRole("radio", { name: "Pay $50, get $60" })).toBeChecked();
  await screen.findByText("Visa ending 4242");
  await user.click(screen.getByRole("radio", { name: "No deal" }));
  await user.click(screen.getByRole("button", { name: "Buy card" }));
  expect(screen.getByText("Choose an amount.")).toBeInTheDocument();
  await user.click(screen.getByRole("radio", { name: "Pay $50, get $60" }));
  await user.click(screen.getByRole("button", { name: "Pay $50.00" }));
  expect(await screen.findByRole("heading", { name: "$60.00 added" })).toHaveFocus();
  expect(requests).toHaveBeenCalledWith(
    {
      companyId: "juniper",
      dealId: "dea_j",
      payment: { type: "card", paymentMethodId: "pay_visa" },
      idempotencyKey: expect.any(String),
    },
    expect.anything(),
  );
  expect(companyGiftCardPurchase.get().dealId).toBeNull();
});

describe("if the consumer leaves before the response", () => {
  async function leave(reply: object, status = 200, beforeResponse = () => {}) {
    const [requested, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.use(
      http.post("*/api/consumer/company-gift-card/purchase", async () => {
        requested.resolve();
        await held.promise;
        return HttpResponse.json({ success: status === 200, data: null, errors: [], ...reply }, { status });
      }),
    );
    const app = await renderRoute("/company/juniper/buy-card", { session: maya });
    await screen.findByText("Visa ending 4242");
    await app.user.click(screen.getByRole("radio", { name: "$25" }));
    await app.user.click(screen.getByRole("button", { name: "Pay $25.00" }));
    await requested.promise;
    await app.router.navigate({ to: "/lp/error" });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Pay $25.00" })).toBeNull());
    beforeResponse();
    held.resolve();
    return app;
  }

  it("clears the draft and shows what was added", async () => {
    await leave({ data: makePurchase() });
    expect(await screen.findByText("$25.00 added")).toBeInTheDocument();
    expect(companyGiftCardPurchase.get().amount).toBeNull();
  });

  it("keeps the draft of another card that the consumer has started", async () => {
    const other = { companyId: "alder", amount: 1_000, dealId: null, paymentMethodId: null };
    await leave({ data: makePurchase() }, 200, () => companyGiftCardPurchase.set(other));
    expect(await screen.findByText("$25.00 added")).toBeInTheDocument();
    expect(companyGiftCardPurchase.get()).toEqual(other);
  });

  it("shows that the payment was declined, and leads back to the form", async () => {
    const { user } = await leave({ reason: "CARD_DECLINED", errors: ["Your card was declined."] }, 422);
    expect(
      await screen.findByText("Juniper Lane card not bought. Your card was declined."),
    ).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("radio", { name: "$25" })).toBeChecked();
  });
});

it("keeps the key of an attempt when the wallet confirms it again", async () => {
  const sheet = mockPaymentSheet();
  const keys: string[] = [];
  server.use(
    mockGet("/payments/list", { paymentMethods: [] }),
    mockGet("/api/stripe/script", { publishableKey: "pk_test", scriptUrl: "https://provider.example/js" }),
    http.post("*/api/consumer/company-gift-card/purchase", async ({ request }) => {
      keys.push(((await request.json()) as { idempotencyKey: string }).idempotencyKey);
      if (keys.length === 1) return HttpResponse.error();
      return HttpResponse.json({ success: true, data: makePurchase(), errors: [] });
    }),
  );
  const { user } = await renderRoute("/company/juniper/buy-card", { session: maya });
  await screen.findByText("Google Pay");
  await user.click(screen.getByRole("radio", { name: "$25" }));
  for (const payment of ["pm_google", "pm_google_2"]) {
    await user.click(screen.getByRole("button", { name: /^Pay \$25/ }));
    act(() => void sheet.confirm(payment));
    if (payment === "pm_google") await screen.findByText(/you won't be charged twice/);
  }
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[1]).toBe(keys[0]);
});

it("buys once for two taps with Google Pay", async () => {
  const sheet = mockPaymentSheet();
  const requests = vi.fn(() => makePurchase());
  server.use(
    mockGet("/payments/list", { paymentMethods: [] }),
    mockGet("/api/stripe/script", { publishableKey: "pk_test", scriptUrl: "https://provider.example/js" }),
    mockPost("/company-gift-card/purchase", requests),
  );
  const { user } = await renderRoute("/company/juniper/buy-card", { session: maya });
  await screen.findByText("Google Pay");
  await user.click(screen.getByRole("radio", { name: "$25" }));
  const button = screen.getByRole("button", { name: "Pay $25.00" });
  await user.click(button);
  expect(button).toHaveAttribute("aria-busy", "true");
  await user.click(button);
  await act(async () => sheet.confirm());
  expect(await screen.findByRole("heading", { name: "$25.00 added" })).toBeInTheDocument();
  expect(requests).toHaveBeenCalledOnce();
});

it("cannot be changed while it is being paid", async () => {
  const held = Promise.withResolvers<void>();
  const requests = vi.fn();
  server.use(
    http.post("*/api/consumer/company-gift-card/purchase", async () => {
      requests();
      await held.promise;
      return HttpResponse.json({ success: true, data: makePurchase(), errors: [] });
    }),
  );
  const { user } = await renderRoute("/company/juniper/buy-card", { session: maya });
  await screen.findByText("Visa ending 4242");
  await user.click(screen.getByRole("radio", { name: "$25" }));
  const button = screen.getByRole("button", { name: "Pay $25.00" });
  await user.click(button);
  await waitFor(() => expect(requests).toHaveBeenCalledOnce());
  await user.click(screen.getByRole("radio", { name: "$10" }));
  expect(button).toHaveAttribute("aria-busy", "true");
  await user.click(button);
  held.resolve();
  expect(await screen.findByRole("heading", { name: "$25.00 added" })).toBeInTheDocument();
  expect(requests).toHaveBeenCalledOnce();
});

it("shows why the purchase failed, and what a bank payment means", async () => {
  const errors = ["You have failed payment"];
  server.use(
    mockPostError("/company-gift-card/purchase", {
      status: 403,
      message: "failed_ach_payments",
      reason: "FAILED_ACH_PAYMENTS",
      errors,
    }),
    mockGet("/payment/failed-payments", { list: [], totalOwed: 0, recoveredOrderIds: [] }),
  );
  const opened = vi.fn();
  window.addEventListener("failed_payments", opened, { once: true });
  const { user } = await renderRoute("/company/juniper/buy-card", { session: maya });
  await screen.findByText("Visa ending 4242");
  await user.click(screen.getByRole("radio", { name: "$10" }));
  await user.click(screen.getByRole("button", { name: "Pay $10.00" }));
  expect(await screen.findByText("You have failed payment")).toBeInTheDocument();
  expect(opened).toHaveBeenCalledOnce();
  server.use(mockPost("/company-gift-card/purchase", () => makePurchase({ state: "Processing" })));
  await user.click(screen.getByRole("button", { name: "Pay $10.00" }));
  expect(await screen.findByRole("heading", { name: "$25.00 is on its way" })).toBeInTheDocument();
});
