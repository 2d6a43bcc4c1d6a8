import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GetData, PostBody } from "@/api/contract";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { cart } from "@/testing/cart";
import { bank, joePass, makeMethod, visa } from "@/testing/payment-method";
import { mockPaymentSheet, mockProvider } from "@/testing/provider";
import { maya, renderRoute } from "@/testing/render-route";
import { type MockError, mockGet, mockGetError, server } from "@/testing/server";
import { toast } from "@/ui/toast";
import { openFailedPaymentsModal } from "./-failed-payments-modal";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

const expectToast = (text: string, tone: "success" | "error") =>
  waitFor(() => expect(toast).toHaveBeenCalledWith(text, tone));

type Failed = GetData<"/payment/failed-payments">;

const order: Failed["list"][number] = {
  paymentIntentId: "dbt_1",
  created: "2026-11-14T16:12:00Z",
  name: "Hillhurst Ave",
  orderId: "order-1",
  total: cents(1185),
  insufficientFundsPenaltyFee: cents(500),
  items: [
    { name: "Flat white", quantity: 1 },
    { name: "Croissant", quantity: 1 },
  ],
};
const topUp = {
  ...order,
  paymentIntentId: "dbt_2",
  name: "JoePass",
  orderId: null,
  total: cents(2000),
  items: [],
};

interface Options {
  list?: Failed["list"];
  methods?: (typeof visa)[];
}

async function openModal({ list = [order], methods = [visa, bank] }: Options = {}) {
  const owed = list.reduce((total, payment) => total + payment.total.currencyAmount + 500, 0);
  server.use(
    mockGet("/payment/failed-payments", { list, totalOwed: owed, recoveredOrderIds: [] }),
    mockGet("/payments/list", { paymentMethods: methods }),
  );
  const app = await renderRoute("/lp/error", { session: maya });
  raiseEvent();
  const modal = await screen.findByRole("dialog", { name: "We have a problem" });
  return { ...app, modal };
}

const raiseEvent = () => act(() => void window.dispatchEvent(new CustomEvent("failed_payments")));

type Body = PostBody<"/payment/update-failed-payments">;

/** Responds to each payment with the next reply. The last reply repeats. */
function mockUpdate(...replies: (MockError | { success: boolean; errors?: string[]; data?: unknown })[]) {
  const sent: Body[] = [];
  server.use(
    http.post("*/api/consumer/payment/update-failed-payments", async ({ request }) => {
      const reply = replies[Math.min(sent.length, replies.length - 1)] ?? { success: true };
      sent.push((await request.json()) as Body);
      const { status = 200, ...body } = { data: null, errors: [], status: 200, ...reply };
      return HttpResponse.json({ success: status === 200, ...body }, { status });
    }),
  );
  return sent;
}

const pay = () => screen.getByRole("button", { name: /^Pay \$16\.85/ });

beforeEach(() => {
  vi.mocked(toast).mockClear();
  cartItem.set(cart);
});
afterEach(() => vi.unstubAllGlobals());

describe("opening", () => {
  it("lists the failed payments with totals and penalty fees", async () => {
    const { modal } = await openModal({ list: [order, topUp] });
    expect(within(modal).getByText("2 items")).toBeInTheDocument();
    expect(within(modal).getAllByText("Insufficient funds")).toHaveLength(2);
    expect(within(modal).getAllByText(/^Penalty fee/)).toHaveLength(2);
    expect(within(modal).getByText("Total penalty fee").nextSibling).toHaveTextContent("$10.00");
    expect(within(modal).getByText("Total", { selector: "dt" }).nextSibling).toHaveTextContent("$41.85");
    expect(pay()).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Pay $25.00 for JoePass" })).toBeInTheDocument();
  });

  it("uses the singular for one item", async () => {
    const { modal } = await openModal({ list: [{ ...order, items: [{ name: "Latte", quantity: 1 }] }] });
    expect(within(modal).getByText("1 item")).toBeInTheDocument();
  });

  it("offers credit cards only", async () => {
    const expired = makeMethod("pay_old", "card", { last4: "0001", expired: true });
    const { user } = await openModal({ methods: [bank, joePass, expired, visa] });
    await user.click(screen.getByRole("button", { name: /^Pay with Visa ending 4242/ }));
    const sheet = await screen.findByRole("dialog", { name: "Pay with" });
    const radios = within(sheet).getAllByRole("radio", { hidden: true });
    expect(radios.map((radio) => radio.getAttribute("value"))).toEqual(["pay_visa", "new"]);
    expect(within(sheet).getByText("New credit card")).toBeInTheDocument();
    expect(within(sheet).getByRole("link", { name: "Add a card" })).toHaveAttribute(
      "href",
      expect.stringContaining("/account/add-credit-card?userId=consumer-maya"),
    );
  });

  it("shows no modal if no payment is owed", async () => {
    const fetched = vi.fn();
    server.use(
      http.get("*/api/consumer/payment/failed-payments", () => {
        fetched();
        return HttpResponse.json({ success: true, data: { list: [], totalOwed: 0 }, errors: [] });
      }),
      mockGet("/payments/list", { paymentMethods: [visa] }),
    );
    await renderRoute("/lp/error", { session: maya });
    raiseEvent();
    await waitFor(() => expect(fetched).toHaveBeenCalled());
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it.each(["/payment/failed-payments", "/payments/list"] as const)(
    "shows nothing if %s fails, and opens with the next event",
    async (path) => {
      server.use(
        mockGetError(path, { status: 500 }),
        mockGet("/payment/failed-payments", { list: [order], totalOwed: 1685, recoveredOrderIds: [] }),
        mockGet("/payments/list", { paymentMethods: [visa] }),
      );
      const { queryClient } = await renderRoute("/lp/error", { session: maya });
      raiseEvent();
      await act(() => expect(openFailedPaymentsModal(queryClient)).rejects.toThrow("500"));
      expect(screen.queryByRole("dialog")).toBeNull();
      expect(toast).not.toHaveBeenCalled();
      server.use(
        mockGet("/payment/failed-payments", { list: [order], totalOwed: 1685, recoveredOrderIds: [] }),
        mockGet("/payments/list", { paymentMethods: [visa] }),
      );
      raiseEvent();
      expect(await screen.findByRole("dialog", { name: "We have a problem" })).toBeInTheDocument();
    },
  );

  it("closes with Escape and with its button", async () => {
    const { user } = await openModal();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    raiseEvent();
    await user.click(await screen.findByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("paying", () => {
  it("sends the payload, thanks, clears the key, closes, and keeps the cart", async () => {
    const { user } = await openModal();
    const sent = mockUpdate({ success: true });
    await user.click(pay());
    await expectToast("Thank you for updating the payments", "success");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([
      {
        userId: maya.id,
        paymentIntentIds: ["dbt_1"],
        paymentMethodId: "pay_visa",
        paymentMethodType: "card",
        idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(device.idempotency.get()).toEqual({});
    expect(cartItem.get()).toEqual(cart);
  });

  it("pays all payments at once", async () => {
    const { user } = await openModal({ list: [order, topUp] });
    const sent = mockUpdate({ success: true });
    await user.click(screen.getByRole("button", { name: "Pay all · $41.85" }));
    await expectToast("Thank you for updating the payments", "success");
    expect(sent[0]?.paymentIntentIds).toEqual(["dbt_1", "dbt_2"]);
  });

  it("shows the errors joined, and repeats with the same key", async () => {
    const { user } = await openModal();
    const sent = mockUpdate(
      { success: false, errors: ["Your card was declined", "Try another card"] },
      { success: true },
    );
    await user.click(pay());
    await expectToast("Your card was declined, Try another card", "error");
    expect(device.idempotency.get()).toEqual({ "pay_visa|card|100": sent[0]?.idempotencyKey });
    await waitFor(() => expect(pay()).not.toHaveAttribute("aria-busy"));
    await user.click(pay());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
  });

  it("updates the list after errors, and closes when no payment is owed", async () => {
    const { user } = await openModal({ list: [order, topUp] });
    mockUpdate({ success: false, errors: ["Your card was declined"] });
    server.use(
      mockGet("/payment/failed-payments", { list: [topUp], totalOwed: 2500, recoveredOrderIds: [] }),
    );
    await user.click(screen.getByRole("button", { name: "Pay all · $41.85" }));
    await waitFor(() => expect(screen.queryByText("Hillhurst Ave")).toBeNull());
    server.use(mockGet("/payment/failed-payments", { list: [], totalOwed: 0, recoveredOrderIds: [] }));
    await user.click(screen.getByRole("button", { name: /^Pay \$25\.00/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("ignores a second submit while a payment is in flight", async () => {
    const { user } = await openModal({ list: [order, topUp] });
    let respond: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const received = vi.fn();
    server.use(
      http.post("*/api/consumer/payment/update-failed-payments", async () => {
        received();
        await gate;
        return HttpResponse.json({ success: true, data: null, errors: [] });
      }),
    );
    await user.click(pay());
    expect(pay()).toHaveAttribute("aria-busy", "true");
    await user.click(pay());
    expect(screen.getByRole("button", { name: /^Pay \$25\.00/ })).toBeDisabled();
    await waitFor(() => expect(received).toHaveBeenCalled());
    respond();
    await expectToast("Thank you for updating the payments", "success");
    expect(received).toHaveBeenCalledOnce();
  });

  it("authenticates the payment and repeats the same request", async () => {
    const { user } = await openModal();
    const handleNextAction = vi.fn(async () => ({}));
    mockProvider({ handleNextAction });
    const providerScript = { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" };
    const sent = mockUpdate(
      {
        success: false,
        errors: ["Confirm with your bank"],
        data: { clientSecret: "pi_1_secret_1", providerScript },
      },
      { success: true },
    );
    await user.click(pay());
    await expectToast("Thank you for updating the payments", "success");
    expect(handleNextAction).toHaveBeenCalledWith({ clientSecret: "pi_1_secret_1" });
    expect(sent[1]).toEqual(sent[0]);
  });

  it.each([
    ["a server error", { status: 500 }, "/lp/error"],
    ["a missing session", { status: 401 }, "/sign-in/getting-started"],
  ])("uses the generic handler after %s", async (_, reply, path) => {
    const { user, router } = await openModal();
    mockUpdate(reply);
    await user.click(pay());
    await waitFor(() => expect(router.state.location.pathname).toBe(path));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(device.idempotency.get()).toEqual({});
    expect(cartItem.get().items).toEqual([]);
  });

  it("does not claim that a payment without a response charged nothing", async () => {
    const { user } = await openModal({ list: [topUp] });
    server.use(http.post("*/api/consumer/payment/update-failed-payments", () => HttpResponse.error()));
    await user.click(screen.getByRole("button", { name: /^Pay \$25\.00/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const text = await screen.findByText(/^If you were paying/);
    expect(text).toHaveTextContent(
      "If you were paying, check your orders and your wallet before you try again.",
    );
    expect(within(text).getByRole("link", { name: "orders" })).toHaveAttribute("href", "/orders");
    expect(within(text).getByRole("link", { name: "wallet" })).toHaveAttribute("href", "/wallet");
  });

  it("requires a payment method", async () => {
    const { user } = await openModal({ methods: [bank] });
    await user.click(pay());
    expect(await screen.findByText("Payment method is required")).toBeInTheDocument();
  });

  it("sends no request while offline", async () => {
    const { user } = await openModal();
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await user.click(pay());
    await expectToast("You're offline. Try again once you're connected.", "error");
  });
});

describe("Google Pay", () => {
  const openWithWallet = async () => {
    const sheet = mockPaymentSheet();
    server.use(
      mockGet("/api/stripe/script", {
        publishableKey: "pk_test",
        scriptUrl: "https://provider.example/v1/js",
      }),
    );
    const app = await openModal({ methods: [] });
    await screen.findByRole("button", { name: /^Pay with Google Pay/ });
    return { ...app, sheet };
  };

  it("pays with the method that the wallet created", async () => {
    const { user, sheet } = await openWithWallet();
    const sent = mockUpdate({ success: true });
    await user.click(pay());
    expect(sheet.update).toHaveBeenCalledWith({ total: { label: "Order Ahead", amount: 1685 } });
    expect(sheet.show).toHaveBeenCalledOnce();
    act(() => void sheet.confirm());
    await expectToast("Thank you for updating the payments", "success");
    expect(sent[0]).toMatchObject({ paymentMethodId: "pm_wallet", paymentMethodType: "google" });
  });

  it("resets the busy state when the consumer cancels", async () => {
    const { user, sheet } = await openWithWallet();
    const sent = mockUpdate({ success: true });
    await user.click(pay());
    expect(pay()).toHaveAttribute("aria-busy", "true");
    await act(async () => sheet.cancel());
    await waitFor(() => expect(pay()).not.toHaveAttribute("aria-busy"));
    expect(sent).toEqual([]);
    await user.click(pay());
    expect(sheet.show).toHaveBeenCalledTimes(2);
  });
});
