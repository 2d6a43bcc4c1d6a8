import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import type { PointEntry } from "@/features/points/queries";
import { cartItem } from "@/state/cart";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, server } from "@/testing/server";

const points = {
  balance: 300,
  tiers: [
    { points: 250, title: "A free drink up to $6", code: "REWARD250" },
    { points: 500, title: "A free drink and a pastry", code: "REWARD500" },
  ],
  pointsPerUnit: 10,
};

const entry = (n: number, overrides: Partial<PointEntry> = {}): PointEntry => ({
  entryId: `e${n}`,
  points: 50,
  balanceAfter: 300,
  title: "Order at Hillhurst Ave",
  at: "2026-11-20T16:40:00Z",
  orderId: null,
  ...overrides,
});

it("lists the rewards and what changed the points", async () => {
  const entries = [entry(1, { orderId: "ord_1" }), entry(2, { points: -1, balanceAfter: 1 })];
  server.use(mockGet("/user/rewards", { points, entries }));
  await renderRoute("/rewards", { session: maya });
  const rewards = within(await screen.findByRole("list", { name: "Rewards" })).getAllByRole("listitem");
  expect(rewards.map((row) => row.textContent)).toEqual([
    "A free drink up to $6250 pointsUse",
    "A free drink and a pastry500 points",
  ]);
  const list = screen.getByRole("list", { name: "Points activity" });
  expect(list).toHaveTextContent("+50 points300 points left");
  expect(list).toHaveTextContent("−1 point1 point left");
  expect(within(list).getByRole("link", { name: "See order: Order at Hillhurst Ave" })).toHaveAttribute(
    "href",
    "/orders/ord_1",
  );
});

it("puts a reward into the cart", async () => {
  server.use(mockGet("/user/rewards", { points, entries: [] }), mockGet("/stores/list", { stores: [] }));
  const { user, router } = await renderRoute("/rewards", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Use: A free drink up to $6" }));
  expect(cartItem.get().promo.code).toBe("REWARD250");
  await waitFor(() => expect(router.state.location.pathname).toBe("/explore"));
});

it("loads older entries", async () => {
  server.use(
    http.get("*/api/consumer/user/rewards", ({ request }) => {
      const skip = Number(new URL(request.url).searchParams.get("skip"));
      const entries = Array.from({ length: skip === 0 ? 20 : 3 }, (_, n) => entry(skip + n));
      return HttpResponse.json({ success: true, data: { points, entries }, errors: [] });
    }),
  );
  const { user } = await renderRoute("/rewards", { session: maya });
  const list = await screen.findByRole("list", { name: "Points activity" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(20);
  await user.click(screen.getByRole("button", { name: "Show older activity" }));
  await screen.findByText((_, element) => element === list && element.children.length === 23);
  expect(screen.queryByRole("button", { name: "Show older activity" })).toBeNull();
});

it("explains how points are earned before the first order", async () => {
  server.use(mockGet("/user/rewards", { points: { balance: 0, tiers: [], pointsPerUnit: 10 }, entries: [] }));
  await renderRoute("/rewards", { session: maya });
  expect(await screen.findByText("Earn 10 points per dollar.")).toBeInTheDocument();
  expect(screen.getByText(/No points yet/)).toBeInTheDocument();
});
