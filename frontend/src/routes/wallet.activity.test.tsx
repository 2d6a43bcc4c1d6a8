import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { LoyaltyCard, Transaction } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { birthdayCard, joePassBalance } from "@/testing/gift-cards";
import { joePass, makeMethod } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const transaction = (n: number, overrides: Partial<Transaction> = {}): Transaction => ({
  transactionId: `t${n}`,
  kind: "counter_payment",
  amount: cents(-450),
  balanceAfter: cents(1220),
  at: "2026-11-20T16:40:00Z",
  title: "Paid at Hillhurst Ave",
  orderId: null,
  state: null,
  balanceId: "bal_pass",
  balanceKind: "JoePass",
  balanceName: "JoePass",
  storeId: "hillhurst",
  purchaseId: null,
  ...overrides,
});

/** Responds with these transactions, in pages, and returns the balances of the requests. */
function serveTransactions(all: Transaction[]): (string | null)[] {
  const balances: (string | null)[] = [];
  server.use(
    http.get("*/api/consumer/user/transaction-history", ({ request }) => {
      const query = new URL(request.url).searchParams;
      balances.push(query.get("balanceId"));
      const skip = Number(query.get("skip"));
      const transactions = all.slice(skip, skip + Number(query.get("take")));
      return HttpResponse.json({ success: true, data: { transactions }, errors: [] });
    }),
  );
  return balances;
}

beforeEach(() => {
  server.use(
    mockGet("/user/wallet", { balances: [joePassBalance, birthdayCard] }),
    mockGet("/user/orders", { orders: [] }),
  );
});

it("adds funds to the selected card", async () => {
  serveTransactions([transaction(1)]);
  await renderRoute(`/wallet/activity?balanceId=${birthdayCard.id}`, { session: maya });
  expect(await screen.findByRole("link", { name: "Add funds" })).toHaveAttribute(
    "href",
    "/wallet/add-funds?balanceId=bal_gift&next=%2Fwallet%2Factivity%3FbalanceId%3Dbal_gift",
  );
});

it("shows kind, store, order, card and remaining balance of an entry", async () => {
  serveTransactions([
    transaction(1),
    transaction(2, {
      kind: "order_held",
      title: "Order at Sunset & Maltman",
      orderId: "ord_1",
      state: "paid",
      balanceName: "Gift card",
    }),
  ]);
  await renderRoute("/wallet/activity", { session: maya });
  const [counter, order] = within(await screen.findByRole("list", { name: "Transactions" })).getAllByRole(
    "listitem",
  );
  expect(counter).toHaveTextContent("Paid at Hillhurst Ave");
  expect(counter).toHaveTextContent("Paid at the counter with your PIN");
  expect(counter).toHaveTextContent("−$4.50$12.20 left");
  expect(counter).toHaveTextContent("JoePass");
  expect(order).toHaveTextContent("Gift card");
  expect(within(order as HTMLElement).getByRole("link", { name: /See order/ })).toHaveAttribute(
    "href",
    "/orders/ord_1",
  );
});

it("filters by balance", async () => {
  const balances = serveTransactions([transaction(1)]);
  const { user, router } = await renderRoute("/wallet/activity", { session: maya });
  await user.click(await screen.findByRole("radio", { name: "Birthday gift card 4F7K" }));
  expect(router.state.location.search).toEqual({ balanceId: "bal_gift" });
  await screen.findByRole("list", { name: "Transactions" });
  expect(balances).toEqual([null, "bal_gift"]);
});

it("loads older transactions", async () => {
  serveTransactions(Array.from({ length: 21 }, (_, n) => transaction(n, { title: `Payment ${n}` })));
  const { user } = await renderRoute("/wallet/activity", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Show older activity" }));
  expect(await screen.findByText(/^Payment 20/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Show older activity" })).toBeNull();
});

it("shows an empty state, and offers to try again after an error", async () => {
  server.use(mockGetError("/user/transaction-history", { status: 500 }));
  const { user } = await renderRoute("/wallet/activity", { session: maya });
  await screen.findByRole("heading", { name: "We couldn't load this page" });
  serveTransactions([]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "No activity yet" })).toBeInTheDocument();
});

it("lists the loyalty cards with where they work", async () => {
  const juniper: LoyaltyCard = makeMethod("bal_juniper", "joebucks", {
    displayName: "Juniper Lane card",
    amount: 4200,
    companyId: "juniper",
    companyName: "Juniper Lane",
  });
  server.use(mockGet("/payments/loyalty-cards", { paymentMethods: [joePass, juniper] }));
  await renderRoute("/wallet/loyalty-cards", { session: maya });
  expect(await screen.findByRole("link", { name: /JoePass.*Works at all stores.*\$24\.60/ })).toHaveAttribute(
    "href",
    "/wallet/activity?balanceId=bal_1",
  );
  expect(
    screen.getByRole("link", { name: /Juniper Lane card.*Works at Juniper Lane stores.*\$42\.00/ }),
  ).toHaveAttribute("href", "/company/juniper/card");
});

it("shows an empty state without loyalty cards", async () => {
  server.use(mockGet("/payments/loyalty-cards", { paymentMethods: [] }));
  await renderRoute("/wallet/loyalty-cards", { session: maya });
  expect(await screen.findByRole("heading", { name: "No cards yet" })).toBeInTheDocument();
});
