import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { MyJoe, Transaction } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { device } from "@/state/device";
import { addFundsOptions, birthdayCard, companyCard, joePassBalance } from "@/testing/gift-cards";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const transaction = (n: number): Transaction => ({
  transactionId: `t${n}`,
  kind: "counter_payment",
  amount: cents(-450),
  balanceAfter: cents(1220),
  at: "2026-11-20T16:40:00Z",
  title: `Paid at store ${n}`,
  orderId: null,
  state: null,
  balanceId: joePassBalance.id,
  balanceKind: "JoePass",
  balanceName: "JoePass",
  storeId: "hillhurst",
  purchaseId: null,
});

const myJoe: MyJoe = {
  profile: null,
  points: { balance: 480, tiers: [], pointsPerUnit: 10 },
  balances: [{ ...joePassBalance, held: cents(1113) }, companyCard, birthdayCard],
  unavailable: [],
};

const open = async (data: MyJoe = myJoe) => {
  server.use(mockGet("/user/my-joe", data));
  const app = await renderRoute("/my-joe", { session: maya });
  await screen.findByRole("heading", { name: "Activity" });
  return app;
};

beforeEach(() =>
  server.use(
    mockGet("/user/wallet/add-funds", addFundsOptions),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
  ),
);

it("shows the balance, held amounts, company cards and points", async () => {
  await open();
  const pass = screen.getByRole("region", { name: "JoePass" });
  expect(pass).toHaveTextContent("$12.20");
  expect(pass).toHaveTextContent("$11.13 more is on hold until the store accepts your order");
  expect(within(pass).getByRole("link", { name: "Add funds" })).toHaveAttribute("href", "/wallet/add-funds");
  expect(screen.getByRole("link", { name: /^Juniper Lane card\s*\$42\.00$/ })).toHaveAttribute(
    "href",
    "/company/juniper/card",
  );
  expect(screen.getByRole("region", { name: "Points" })).toHaveTextContent("480 points");
  expect(screen.getByRole("link", { name: "Points and rewards" })).toHaveAttribute("href", "/rewards");
  expect(screen.getByRole("link", { name: /^Show\s*PIN for the counter$/ })).toHaveAttribute(
    "href",
    "/account/pin",
  );
  expect(await screen.findByText("No activity yet.")).toBeInTheDocument();
});

it("shows a JoePass at zero before the first balance", async () => {
  await open({ ...myJoe, balances: [] });
  expect(screen.getByRole("region", { name: "JoePass" })).toHaveTextContent("$0.00");
});

it("explains parts that cannot be loaded, and shows the others", async () => {
  await open({ ...myJoe, balances: null, unavailable: ["balances"] });
  expect(screen.getByText("We can't load your balance right now. Your money is safe.")).toBeInTheDocument();
  expect(screen.getByRole("region", { name: "Points" })).toBeInTheDocument();
});

it("explains points that cannot be loaded", async () => {
  await open({ ...myJoe, points: null, unavailable: ["points"] });
  expect(screen.getByText("We can't load your points right now. They're safe.")).toBeInTheDocument();
  expect(screen.getByRole("region", { name: "JoePass" })).toBeInTheDocument();
});

it("lists the latest five transactions and leads to all of them", async () => {
  server.use(mockGet("/user/transaction-history", { transactions: [1, 2, 3, 4, 5, 6].map(transaction) }));
  await open();
  const list = await screen.findByRole("list", { name: "Transactions" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(5);
  expect(screen.getByRole("link", { name: "See all activity" })).toHaveAttribute("href", "/wallet/activity");
});

it("keeps the balance if the activity cannot be loaded, and offers to try again", async () => {
  const broken = { status: 400, errors: ["Please try again later."] };
  server.use(mockGetError("/user/transaction-history", broken));
  const { user } = await open();
  expect(await screen.findByText("Please try again later.")).toBeInTheDocument();
  expect(screen.getByRole("region", { name: "JoePass" })).toHaveTextContent("$12.20");
  server.use(mockGet("/user/transaction-history", { transactions: [transaction(1)] }));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("list", { name: "Transactions" })).toBeInTheDocument();
});

it("marks the points on a bonus day", async () => {
  device.rewardIndicator.set({ day: "2026-11-23", shows: true });
  await open();
  expect(within(screen.getByRole("region", { name: "Points" })).getByText("Bonus day")).toBeInTheDocument();
});
