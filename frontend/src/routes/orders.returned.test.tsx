import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GetData } from "@/api/contract";
import { failedPaymentsQuery } from "@/features/failed-payments/queries";
import type { Order, Receipt } from "@/features/orders/queries";
import { cents } from "@/lib/money";
import { quote } from "@/testing/cart";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { toast } from "@/ui/toast";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

type Failed = GetData<"/payment/failed-payments">["list"][number];

const bank = { type: "bank" as const, paymentMethodId: "pay_bank" };
const paidByBank = (status: Order["status"], overrides: Partial<Order> = {}) =>
  makeOrder(status, { isCharged: true, paymentMethod: bank, ...overrides });

const makeFailed = (overrides: Partial<Failed> = {}): Failed => ({
  paymentIntentId: "dbt_1",
  created: "2026-11-24T16:12:00Z",
  name: "Sunset & Maltman",
  orderId: "order-1",
  total: cents(1240),
  insufficientFundsPenaltyFee: cents(500),
  items: [{ name: "Iced latte", quantity: 1 }],
  ...overrides,
});

function mockFailed(list: Failed[], recoveredOrderIds: string[] = []) {
  const totalOwed = list.reduce(
    (owed, payment) =>
      owed + payment.total.currencyAmount + payment.insufficientFundsPenaltyFee.currencyAmount,
    0,
  );
  server.use(
    mockGet("/payment/failed-payments", { list, totalOwed, recoveredOrderIds }),
    mockGet("/payments/list", { paymentMethods: [visa] }),
  );
}

async function openOrder(order: Order) {
  server.use(
    mockOrderStatus(order),
    mockGet("/user/orders", { orders: [order] }),
    mockGetError("/store/card", { status: 503 }),
  );
  const app = await renderRoute("/orders/order-1", { session: maya });
  await screen.findByRole("heading", { level: 1 });
  return app;
}

beforeEach(() => vi.mocked(toast).mockClear());

const OWED = "Your bank returned this payment. You owe $17.40, including a $5.00 fee.";

describe("an order with a payment that the bank returned", () => {
  it("shows the owed amount instead of a payment, and opens the modal that pays it", async () => {
    mockFailed([makeFailed({ paymentIntentId: "dbt_0", orderId: null, total: cents(2000) }), makeFailed()]);
    const { user } = await openOrder(paidByBank("Completed"));
    expect(await screen.findByText(OWED)).toBeInTheDocument();
    expect(screen.queryByText(/Paid/)).toBeNull();
    expect(screen.getAllByText(/\$12\.40 returned by your bank/)).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Pay now" }));
    expect(await screen.findByRole("dialog", { name: "We have a problem" })).toBeInTheDocument();
  });

  it("shows an error if the modal cannot be opened, and opens it at the next try", async () => {
    mockFailed([makeFailed()]);
    const { user } = await openOrder(paidByBank("Completed"));
    const payNow = await screen.findByRole("button", { name: "Pay now" });
    server.use(mockGetError("/payment/failed-payments", { status: 500 }));
    await user.click(payNow);
    const error = "Something went wrong on our side. Please try again.";
    await vi.waitFor(() => expect(toast).toHaveBeenCalledWith(error, "error"));
    let respond: (data: GetData<"/payments/list">) => void = () => undefined;
    mockFailed([makeFailed()]);
    const methods = new Promise<GetData<"/payments/list">>((resolve) => {
      respond = resolve;
    });
    server.use(mockGet("/payments/list", methods));
    await user.click(payNow);
    expect(payNow).toHaveAttribute("aria-busy", "true");
    respond({ paymentMethods: [visa] });
    expect(await screen.findByRole("dialog", { name: "We have a problem" })).toBeInTheDocument();
    await vi.waitFor(() => expect(payNow).not.toHaveAttribute("aria-busy"));
  });

  it("shows that nothing is owed if the payment was paid on another device", async () => {
    mockFailed([makeFailed()]);
    const { user } = await openOrder(paidByBank("Completed"));
    const payNow = await screen.findByRole("button", { name: "Pay now" });
    mockFailed([]);
    await user.click(payNow);
    await vi.waitFor(() => expect(toast).toHaveBeenCalledWith("You have nothing to pay", "success"));
    await vi.waitFor(() => expect(screen.queryByText(OWED)).toBeNull());
  });

  it("mentions no fee if there is none", async () => {
    mockFailed([makeFailed({ insufficientFundsPenaltyFee: cents(0) })]);
    await openOrder(paidByBank("Ready"));
    expect(await screen.findByText("Your bank returned this payment. You owe $12.40.")).toBeInTheDocument();
  });

  it("keeps the part that stored value paid", async () => {
    mockFailed([makeFailed({ total: cents(840) })]);
    const payments: Order["payments"] = [
      { type: "joebucks", name: "JoePass", amount: cents(400) },
      { type: "bank", name: null, amount: cents(840) },
    ];
    await openOrder(paidByBank("Completed", { payments, paymentMethod: null }));
    expect(await screen.findByText(/You owe \$13\.40/)).toBeInTheDocument();
    expect(screen.getAllByText(/\$8\.40 returned by your bank, paid \$4\.00 with JoePass/)).toHaveLength(2);
  });

  it("explains why a canceled order is owed", async () => {
    mockFailed([makeFailed({ insufficientFundsPenaltyFee: cents(0) })]);
    await openOrder(paidByBank("Cancelled", { reason: "CONSUMER_CANCELLED" }));
    expect(
      await screen.findByText("Your bank returned this payment after we refunded it. You owe $12.40."),
    ).toBeInTheDocument();
  });

  it("shows that it was paid later", async () => {
    mockFailed([], ["order-1"]);
    await openOrder(paidByBank("Completed"));
    expect(await screen.findAllByText(/\$12\.40 returned by your bank and paid later/)).toHaveLength(2);
    expect(screen.queryByRole("button", { name: "Pay now" })).toBeNull();
  });

  it("shows that it was paid later as soon as it is paid", async () => {
    mockFailed([makeFailed()]);
    const { user, queryClient } = await openOrder(paidByBank("Completed"));
    await user.click(await screen.findByRole("button", { name: "Pay now" }));
    const pay = await screen.findByRole("button", { name: /^Pay \$17\.40/ });
    server.use(
      http.post("*/api/consumer/payment/update-failed-payments", () =>
        HttpResponse.json({ success: true, data: null, errors: [] }),
      ),
    );
    await user.click(pay);
    expect(await screen.findAllByText(/\$12\.40 returned by your bank and paid later/)).toHaveLength(2);
    expect(screen.queryByText(/Paid \$12\.40/)).toBeNull();
    expect(queryClient.getQueryData(failedPaymentsQuery.queryKey)).toEqual({
      list: [],
      totalOwed: 0,
      recoveredOrderIds: ["order-1"],
    });
  });

  it("is paid if another payment is owed", async () => {
    mockFailed([makeFailed({ orderId: "order-2" })]);
    const { queryClient } = await openOrder(paidByBank("Completed"));
    await vi.waitFor(() => expect(queryClient.getQueryData(failedPaymentsQuery.queryKey)).toBeDefined());
    expect(screen.getAllByText(/Paid \$12\.40 with your bank account/)).toHaveLength(2);
    expect(screen.queryByRole("button", { name: "Pay now" })).toBeNull();
  });

  it.each([
    ["paid by card", makeOrder("Completed")],
    ["that is not made yet", paidByBank("Accepted")],
  ])("requests no debts for an order %s", async (_, order) => {
    mockFailed([makeFailed()]);
    const { queryClient } = await openOrder(order);
    expect(screen.getAllByText(/Paid \$12\.40/)).toHaveLength(2);
    expect(queryClient.getQueryState(failedPaymentsQuery.queryKey)?.fetchStatus).toBe("idle");
  });
});

it("marks the order in the history", async () => {
  mockFailed([makeFailed()]);
  const orders = [paidByBank("Completed"), paidByBank("Completed", { orderId: "order-2" })];
  server.use(mockGet("/user/orders", { orders }));
  await renderRoute("/orders", { session: maya });
  const tag = await screen.findByText("Payment returned");
  const row = tag.closest("li") as HTMLElement;
  expect(within(row).getByRole("link", { name: "Iced latte" })).toHaveAttribute("href", "/orders/order-1");
});

describe("the receipt", () => {
  const { storeId, storeName, storeAddress, timeZone, lines } = makeOrder("Completed");
  const { subtotal, discount, tax, taxRatePpm, tip, total } = quote;
  const receipt: Receipt = {
    ...{ orderId: "order-1", status: "Completed", storeId, storeName, storeAddress, timeZone, lines },
    ...{ subtotal, discount, tax, taxRatePpm, tip, total },
    paymentType: "bank",
    payments: [{ type: "bank", name: null, amount: total }],
    isCharged: true,
    createdAt: "2026-11-20T16:26:00Z",
    completedAt: "2026-11-20T16:42:00Z",
    signature: null,
  };

  it("shows the owed amount to the consumer", async () => {
    mockFailed([makeFailed()]);
    server.use(mockGet("/order/complete", receipt), mockGet("/order/active", { order: null }));
    await renderRoute("/order/complete?orderId=order-1", { session: maya });
    expect(await screen.findByText(OWED)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Pay now" })).toBeInTheDocument();
  });

  it("shows that the consumer has paid the returned debit", async () => {
    mockFailed([], ["order-1"]);
    server.use(mockGet("/order/complete", receipt), mockGet("/order/active", { order: null }));
    await renderRoute("/order/complete?orderId=order-1", { session: maya });
    expect(
      await screen.findByText("Your bank returned this payment. You've paid it since."),
    ).toBeInTheDocument();
  });

  it("hides the owed amount from others who have the link", async () => {
    mockFailed([makeFailed()]);
    server.use(mockGet("/order/complete", receipt));
    const { queryClient } = await renderRoute(
      "/order/complete?orderId=order-1&signature=sig-1&isReceiptPublicPage=true",
    );
    expect(await screen.findByText("Bank Account")).toBeInTheDocument();
    expect(queryClient.getQueryState(failedPaymentsQuery.queryKey)).toBeUndefined();
  });
});
