import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GetData, PostBody, PostData } from "@/api/contract";
import { cents } from "@/lib/money";
import { addedMethod } from "@/state/added-method";
import { device } from "@/state/device";
import { bank, makeMethod, visa } from "@/testing/payment-method";
import { mockPaymentSheet, mockProvider } from "@/testing/provider";
import { maya, renderRoute } from "@/testing/render-route";
import { type MockError, mockGet, mockGetError, server } from "@/testing/server";
import { toast } from "@/ui/toast";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

type Options = GetData<"/user/wallet/add-funds">;
type Result = PostData<"/payment/upload">;
type Body = PostBody<"/payment/upload">;

const options: Options = {
  presets: [1000, 2500, 5000],
  minimum: 1000,
  maximum: 50_000,
  methods: [visa, bank],
  autoReload: {
    enabled: false,
    threshold: cents(500),
    amount: cents(2000),
    paymentMethodId: null,
    pausedUntil: null,
    frozenUntil: null,
  },
  autoReloadMinimum: 1000,
  autoReloadMaximum: 50_000,
  autoReloadMaximumThreshold: 20_000,
};

const completed: Result = {
  purchaseId: "pur_1",
  state: "Completed",
  amount: cents(2500),
  value: cents(2500),
  createdAt: new Date().toISOString(),
  isAutomatic: false,
  companyId: null,
  companyName: null,
  clientSecret: null,
  providerScript: null,
  balance: null,
  giftCard: null,
};

/** Responds to each attempt with the next reply. The last reply repeats. */
function mockUpload(...replies: (MockError | Result | "lost")[]): Body[] {
  const sent: Body[] = [];
  server.use(
    http.post("*/api/consumer/payment/upload", async ({ request }) => {
      const reply = replies[Math.min(sent.length, replies.length - 1)] ?? "lost";
      sent.push((await request.json()) as Body);
      if (reply === "lost") return HttpResponse.error();
      if ("purchaseId" in reply) return HttpResponse.json({ success: true, data: reply, errors: [] });
      const { status, ...body } = reply;
      return HttpResponse.json({ success: false, data: null, errors: [], reason: "", ...body } as object, {
        status,
      });
    }),
  );
  return sent;
}

async function openScreen(overrides: Partial<Options> = {}, search = "") {
  server.use(
    mockGet("/user/wallet/add-funds", { ...options, ...overrides }),
    mockGet("/user/wallet", { balances: [] }),
    mockGet("/payments/list", { paymentMethods: [visa] }),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
  );
  const app = await renderRoute(`/wallet/add-funds${search}`, { session: maya });
  await screen.findByRole("radiogroup", { name: "Amount" });
  return { ...app, press: () => app.user.click(button()) };
}

const button = () => screen.getByRole("button", { name: /^(Add funds|Adding funds)/ });

beforeEach(() => void vi.mocked(toast).mockClear());
afterEach(() => vi.unstubAllGlobals());

it("adds a preset amount and returns to the wallet", async () => {
  const { press, user, router } = await openScreen({ methods: [visa] }, "?balanceId=bal_7");
  const sent = mockUpload(completed);
  await user.click(screen.getByRole("radio", { name: "$50" }));
  expect(button()).toHaveTextContent("Add funds · $50.00");
  await press();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
  expect(sent).toEqual([
    {
      amount: 5000,
      payment: { type: "card", paymentMethodId: "pay_visa" },
      balanceId: "bal_7",
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
  expect(toast).toHaveBeenCalledWith("$25.00 added", "success");
  expect(device.idempotency.get()).toEqual({});
});

describe("if the consumer leaves before the response", () => {
  async function leave(reply: object, status = 200) {
    const app = await openScreen({ methods: [visa] }, "?balanceId=bal_7");
    const [requested, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.use(
      http.post("*/api/consumer/payment/upload", async () => {
        requested.resolve();
        await held.promise;
        return HttpResponse.json({ success: status === 200, data: null, errors: [], ...reply }, { status });
      }),
    );
    await app.press();
    await requested.promise;
    await act(() => app.router.navigate({ to: "/orders" }));
    held.resolve();
    return app;
  }

  it("stays on the other screen when the funds are added", async () => {
    const { router } = await leave({ data: completed });
    await waitFor(() => expect(toast).toHaveBeenCalledWith("$25.00 added", "success"));
    expect(router.history.location.pathname).toBe("/orders");
  });

  it("shows that the payment was declined, and leads back to the form", async () => {
    const { router } = await leave({ reason: "CARD_DECLINED", errors: ["Your card was declined."] }, 422);
    await waitFor(() => expect(toast).toHaveBeenCalled());
    const [text, tone, action] = vi.mocked(toast).mock.calls[0] ?? [];
    expect([text, tone, action?.label]).toEqual([
      "Funds not added. Your card was declined.",
      "error",
      "Try again",
    ]);
    act(() => action?.onPress());
    await waitFor(() => expect(router.state.location.href).toBe("/wallet/add-funds?balanceId=bal_7"));
  });

  it("opens the sign-in without a message if the session has ended", async () => {
    const { router } = await leave({}, 401);
    await waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
    expect(toast).not.toHaveBeenCalled();
  });
});

it("shows that money from a bank account is pending", async () => {
  const { press } = await openScreen({ methods: [bank] });
  expect(screen.getByText(/shows as pending/)).toBeInTheDocument();
  mockUpload({ ...completed, state: "Processing" });
  await press();
  await waitFor(() => expect(toast).toHaveBeenCalledWith("$25.00 on its way from your bank", "success"));
});

it("selects a method that was just added", async () => {
  addedMethod.set(bank.paymentMethodId);
  await openScreen({ methods: [{ ...visa, isDefault: true }, bank] });
  expect(screen.getByRole("button", { name: /^Pay with First Valley Bank/ })).toBeInTheDocument();
  addedMethod.set(null);
});

it("preselects the method of the last order", async () => {
  device.preferredPaymentMethod.set("pay_2");
  await openScreen({ methods: [bank, makeMethod("pay_2", "card", { last4: "0002" })] });
  expect(screen.getByRole("button", { name: /^Pay with .*0002/ })).toBeInTheDocument();
});

it("stays at the gift card while a method is added", async () => {
  const { user } = await openScreen({ methods: [visa] }, "?balanceId=bal_7");
  await user.click(screen.getByRole("button", { name: /^Pay with/ }));
  expect(await screen.findByRole("link", { name: "Add a card or bank account" })).toHaveAttribute(
    "href",
    "/account/add-payment?userId=consumer-maya&next=%2Fwallet%2Fadd-funds%3FbalanceId%3Dbal_7",
  );
});

it("returns to the gift card after signing in again", async () => {
  const { press, router } = await openScreen({ methods: [visa] }, "?balanceId=bal_7");
  mockUpload({ status: 401 });
  await press();
  await waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
  expect(router.state.location.search).toMatchObject({ next: "/wallet/add-funds?balanceId=bal_7" });
});

describe("amounts", () => {
  it.each([
    ["", "Enter an amount."],
    ["9.99", "Add at least $10."],
    ["500.01", "Add up to $500 at a time."],
  ])("rejects %j", async (text, error) => {
    const { press, user } = await openScreen();
    await user.click(screen.getByRole("radio", { name: "Other" }));
    if (text) await user.type(screen.getByRole("textbox", { name: "Other amount" }), text);
    await press();
    expect(screen.getByText(error)).toBeInTheDocument();
  });

  it("accepts the minimum", async () => {
    const { press, user } = await openScreen();
    const sent = mockUpload(completed);
    await user.click(screen.getByRole("radio", { name: "Other" }));
    await user.type(screen.getByRole("textbox", { name: "Other amount" }), "10");
    await press();
    await waitFor(() => expect(sent[0]?.amount).toBe(1000));
  });
});

it("requires a payment method, and links to add one", async () => {
  const { press, user } = await openScreen({ methods: [] });
  await press();
  expect(screen.getByText("Payment method is required")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: /^Pay with/ }));
  expect(await screen.findByText("New payment method")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Add a card or bank account" })).toHaveAttribute(
    "href",
    "/account/add-payment?userId=consumer-maya&next=%2Fwallet%2Fadd-funds",
  );
});

it("explains a declined card and uses a new key for the next attempt", async () => {
  const { press } = await openScreen();
  const sent = mockUpload(
    { status: 422, reason: "CARD_DECLINED", errors: ["Your card was declined."] },
    completed,
  );
  await press();
  expect(await screen.findByText("Your card was declined. You weren't charged.")).toBeInTheDocument();
  await press();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
});

it.each([
  ["a lost response", "lost" as const, /We lost the connection/],
  ["an internal error", { status: 500 }, /taking longer than expected/],
  ["rate limiting", { status: 429 }, /^Too many tries\. Please wait a moment\.$/],
])("repeats the request with the same key after %s", async (_, reply, text) => {
  const { press } = await openScreen();
  const sent = mockUpload(reply, completed);
  await press();
  expect(await screen.findByText(text)).toBeInTheDocument();
  await press();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(sent[0]);
});

it("does not report the purchase of an attempt of another day as a new one", async () => {
  const { press, router } = await openScreen({ methods: [visa] });
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const sent = mockUpload("lost", { ...completed, createdAt: yesterday }, completed);
  await press();
  await screen.findByText(/We lost the connection/);
  await press();
  expect(
    await screen.findByText(
      "You already added $25.00 yesterday. You weren't charged again; tap again to add more.",
    ),
  ).toBeInTheDocument();
  expect(toast).not.toHaveBeenCalled();
  expect(sent[1]).toEqual(sent[0]);
  await press();
  await waitFor(() => expect(router.state.location.pathname).toBe("/wallet"));
  expect(sent[2]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
});

it("reports an attempt of another day as a new one if the consumer authenticates it now", async () => {
  mockProvider({ handleNextAction: vi.fn(async () => ({})) });
  const { press } = await openScreen({ methods: [visa] });
  const earlier = { ...completed, createdAt: new Date(Date.now() - 86_400_000).toISOString() };
  const providerScript = { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" };
  mockUpload(
    "lost",
    { ...earlier, state: "RequiresAction", clientSecret: "pi_1_secret_1", providerScript },
    earlier,
  );
  await press();
  await screen.findByText(/We lost the connection/);
  await press();
  await waitFor(() => expect(toast).toHaveBeenCalledWith("$25.00 added", "success"));
});

it("shows that the bank declined the authenticated payment", async () => {
  const { press } = await openScreen({ methods: [visa] });
  mockUpload({ ...completed, state: "Failed" });
  await press();
  expect(await screen.findByText("The payment didn't go through. You weren't charged.")).toBeInTheDocument();
  expect(device.idempotency.get()).toEqual({});
});

it("repeats the request after the consumer has authenticated the payment", async () => {
  const handleNextAction = vi.fn(async () => ({}));
  mockProvider({ handleNextAction });
  const { press } = await openScreen();
  const providerScript = { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" };
  const sent = mockUpload(
    { ...completed, state: "RequiresAction", clientSecret: "pi_1_secret_1", providerScript },
    completed,
  );
  await press();
  await waitFor(() => expect(toast).toHaveBeenCalledWith("$25.00 added", "success"));
  expect(handleNextAction).toHaveBeenCalledWith({ clientSecret: "pi_1_secret_1" });
  expect(sent[1]).toEqual(sent[0]);
});

it("raises the event for failed payments", async () => {
  const { press } = await openScreen();
  mockUpload({ status: 403, message: "failed_ach_payments", reason: "FAILED_ACH_PAYMENTS" });
  server.use(
    mockGet("/payment/failed-payments", {
      list: [
        {
          paymentIntentId: "dbt_1",
          created: "2026-11-14T16:12:00Z",
          name: "Hillhurst Ave",
          orderId: "order-1",
          total: cents(1185),
          insufficientFundsPenaltyFee: cents(500),
          items: [],
        },
      ],
      totalOwed: 1685,
      recoveredOrderIds: [],
    }),
  );
  await press();
  expect(await screen.findByRole("dialog", { name: "We have a problem" })).toBeInTheDocument();
  expect(screen.getByText(/^You have failed payment/)).toBeInTheDocument();
});

it("shows an error screen, and loads again", async () => {
  server.use(mockGetError("/user/wallet/add-funds", { status: 400 }));
  const { user } = await renderRoute("/wallet/add-funds", { session: maya });
  const retry = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/user/wallet/add-funds", options));
  await user.click(retry);
  expect(await screen.findByRole("radiogroup", { name: "Amount" })).toBeInTheDocument();
});

describe("Google Pay in the browser", () => {
  const openWithSheet = async () => {
    const sheet = mockPaymentSheet();
    server.use(
      mockGet("/api/stripe/script", {
        publishableKey: "pk_test",
        scriptUrl: "https://provider.example/v1/js",
      }),
    );
    const app = await openScreen({ methods: [] });
    await screen.findByRole("button", { name: /^Pay with Google Pay/ });
    expect(sheet.paymentRequest).toHaveBeenCalledWith(
      expect.objectContaining({ country: "US", currency: "usd" }),
    );
    return { ...app, sheet };
  };

  it("opens one sheet labelled Add JoePass", async () => {
    const { press, sheet } = await openWithSheet();
    const sent = mockUpload(completed);
    await press();
    await press();
    expect(sheet.update).toHaveBeenCalledExactlyOnceWith({ total: { label: "Add JoePass", amount: 2500 } });
    expect(sheet.show).toHaveBeenCalledOnce();
    act(() => void sheet.confirm("pm_google"));
    await waitFor(() => expect(toast).toHaveBeenCalledWith("$25.00 added", "success"));
    expect(sheet.complete).toHaveBeenCalledWith("success");
    expect(sent[0]?.payment).toEqual({
      type: "google",
      paymentMethodId: "",
      walletPaymentMethodId: "pm_google",
    });
  });

  it("stays on the screen when the consumer cancels", async () => {
    const { press, sheet } = await openWithSheet();
    await press();
    await act(async () => sheet.cancel());
    await waitFor(() => expect(button()).not.toHaveAttribute("aria-busy"));
    await press();
    expect(sheet.show).toHaveBeenCalledTimes(2);
  });

  it("repeats a lost payment without a second sheet", async () => {
    const { press, sheet } = await openWithSheet();
    const sent = mockUpload("lost", completed);
    await press();
    act(() => void sheet.confirm("pm_google"));
    expect(await screen.findByText(/We lost the connection/)).toBeInTheDocument();
    await press();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    expect(sheet.show).toHaveBeenCalledOnce();
  });

  it("repeats a lost payment with the same key after a reload, although the sheet opens again", async () => {
    const { press, sheet, unmount } = await openWithSheet();
    const sent = mockUpload("lost", completed);
    await press();
    act(() => void sheet.confirm("pm_google"));
    expect(await screen.findByText(/We lost the connection/)).toBeInTheDocument();
    unmount();
    const reloaded = await openWithSheet();
    await reloaded.press();
    act(() => void reloaded.sheet.confirm("pm_google_2"));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.payment.walletPaymentMethodId).toBe("pm_google_2");
    expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
    await waitFor(() => expect(device.idempotency.get()).toEqual({}));
  });
});

it("offers no wallet if the browser has none, or if the script fails", async () => {
  const sheet = mockPaymentSheet();
  sheet.canMakePayment.mockResolvedValue({ applePay: false, googlePay: false });
  server.use(
    mockGet("/api/stripe/script", { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" }),
  );
  const { user } = await openScreen({ methods: [visa, makeMethod("pay_2", "card", { last4: "0002" })] });
  await waitFor(() => expect(sheet.canMakePayment).toHaveBeenCalled());
  await user.click(screen.getByRole("button", { name: /^Pay with/ }));
  expect(await screen.findAllByRole("radio", { name: /ending/ })).toHaveLength(2);
  expect(screen.queryByRole("radio", { name: /Google Pay/ })).toBeNull();
});
