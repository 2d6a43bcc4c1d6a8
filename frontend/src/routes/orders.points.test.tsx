import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { Order, Status } from "@/features/orders/queries";
import type { PointEntry } from "@/features/points/queries";
import { walletKeys } from "@/shell/queries";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const points = { balance: 0, tiers: [], pointsPerUnit: 10 };

const makeEntry = (title: string, change: number, at: string, orderId = "order-1"): PointEntry => ({
  entryId: `${title}-${at}`,
  points: change,
  balanceAfter: 0,
  title,
  at,
  orderId,
});

const reward = makeEntry("Reward", -250, "2026-11-20T16:26:00Z");
const earned = makeEntry("Order at Sunset & Maltman", 50, "2026-11-20T16:30:00Z");
const refunded = (change: number) => makeEntry("Refunded order", change, "2026-11-21T09:00:00Z");

const mockEntries = (...entries: PointEntry[]) => server.use(mockGet("/user/rewards", { points, entries }));

async function openOrder(status: Status, overrides: Partial<Order> = {}) {
  const order = makeOrder(status, { points: 50, ...overrides });
  server.use(mockOrderStatus(order), mockGet("/user/orders", { orders: [order] }));
  return renderRoute("/orders/order-1", { session: maya });
}

beforeEach(() => server.use(mockGetError("/store/card", { status: 503 })));

it("says what an order earned, without the reward that it used and other orders", async () => {
  mockEntries(makeEntry("Refunded order", -30, "2026-11-22T09:00:00Z", "order-2"), earned, reward);
  await openOrder("Completed");
  expect(await screen.findByText(/You earned 50 points\.$/)).toBeInTheDocument();
});

it("says that the points of a refunded order were taken back, also while it is open", async () => {
  mockEntries(earned, reward);
  const { queryClient } = await openOrder("Completed");
  expect(await screen.findByText(/You earned 50 points\.$/)).toBeInTheDocument();
  mockEntries(refunded(-20), earned, reward);
  await queryClient.invalidateQueries({ queryKey: walletKeys.points });
  expect(
    await screen.findByText(/You earned 50 points\. We took 20 back with your refund\.$/),
  ).toBeInTheDocument();
  mockEntries(
    makeEntry("Reward returned", 250, "2026-11-21T09:00:00Z"),
    refunded(-30),
    refunded(-20),
    earned,
    reward,
  );
  await queryClient.invalidateQueries({ queryKey: walletKeys.points });
  expect(
    await screen.findByText(/You earned 50 points\. We took them back with your refund\.$/),
  ).toBeInTheDocument();
});

it.each(["Ready", "Completed"] as const)(
  "says that an unpaid order earned none when it is %s",
  async (status) => {
    await openOrder(status, { reason: "PAYMENT_CAPTURE_FAILED", message: "Your card was declined." });
    expect(await screen.findByText(/It earned no points because it wasn't paid\.$/)).toBeInTheDocument();
  },
);

it("says before the pickup what the order will earn", async () => {
  await openOrder("Ready", { points: 1 });
  expect(await screen.findByText(/You'll earn 1 point at pickup\.$/)).toBeInTheDocument();
});
