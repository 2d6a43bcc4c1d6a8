import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { challenge, offer, offerList } from "@/features/offers/testing/offers";
import { cacheOrder } from "@/features/orders/cache-order";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { cart, cartOptions, quote } from "@/testing/cart";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const points = {
  balance: 300,
  tiers: [{ points: 250, title: "$1 off a drink", code: "REWARD250" }],
  pointsPerUnit: 10,
};

beforeEach(() => server.use(mockGet("/user/rewards", { points, entries: [] })));

async function openRewards(list = offerList(), url = "/rewards") {
  server.use(mockGet("/user/offers", list));
  return renderRoute(url, { session: maya });
}

it("shows the bonus days and today's offers", async () => {
  await openRewards(
    offerList({ offers: [offer(), offer({ offerId: "app", title: "In the app", isAppOnly: true })] }),
  );
  expect(await screen.findByText("Today is a bonus day")).toBeTruthy();
  expect(screen.getByText("Monday, bonus day, today")).toBeTruthy();
  expect(screen.getByRole("link", { name: "$1 off any cold brew Today only" })).toBeTruthy();
  expect(screen.getByRole("link", { name: /In the app.*App only/ })).toBeTruthy();
});

it("names the next bonus day", async () => {
  await openRewards(offerList({ day: "2026-11-28", isBonusDay: false, offers: [], challenges: [] }));
  expect(await screen.findByText("Next bonus day: Monday")).toBeTruthy();
  expect(screen.getByText(/Nothing today/)).toBeTruthy();
});

it("requests the offers of another day, in the zone of the chosen store", async () => {
  cartItem.set((cart) => ({ ...cart, timeZone: "America/Los_Angeles" }));
  const queries: string[] = [];
  server.use(
    http.get("*/api/consumer/user/offers", ({ request }) => {
      queries.push(new URL(request.url).search);
      return HttpResponse.json({ success: true, data: offerList(), errors: [] });
    }),
  );
  await renderRoute("/rewards?overrideDay=2026-11-25", { session: maya });
  await screen.findByText("Today is a bonus day");
  expect(queries).toEqual(["?timeZone=America%2FLos_Angeles&overrideDay=2026-11-25"]);
});

it("puts the code of an offer into the cart", async () => {
  const { user, router } = await openRewards();
  server.use(mockGet("/user/offer", offer()), mockGet("/stores/list", { stores: [] }));
  await user.click(await screen.findByRole("link", { name: /cold brew/ }));
  expect(router.state.location.search).toEqual({ offerId: "monday" });
  const sheet = within(await screen.findByRole("dialog", { name: "$1 off any cold brew" }));
  expect(sheet.getByText("One drink an order.")).toBeTruthy();
  await user.click(sheet.getByRole("button", { name: "Use MONDAY1" }));
  expect(await screen.findByText("MONDAY1 is in your cart")).toBeTruthy();
  expect(cartItem.get().promo.code).toBe("MONDAY1");
  expect(router.state.location.pathname).toBe("/explore");
});

it("opens an offer by its address and closes it", async () => {
  server.use(mockGet("/user/offer", offer({ isAppOnly: true })));
  const { user, router } = await openRewards(offerList(), "/rewards?offerId=monday");
  const sheet = within(await screen.findByRole("dialog", { name: "$1 off any cold brew" }));
  expect(sheet.getByText("This offer works in the app only.")).toBeTruthy();
  expect(sheet.queryByRole("button", { name: /^Use/ })).toBeNull();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("explains an offer that has ended", async () => {
  const errors = ["We couldn't find that offer."];
  server.use(mockGetError("/user/offer", { status: 404, reason: "OFFER_UNKNOWN", errors }));
  await openRewards(offerList(), "/rewards?offerId=gone");
  expect(await screen.findByText("We couldn't find that offer.")).toBeTruthy();
});

it("shows the progress of a challenge", async () => {
  await openRewards(
    offerList({
      challenges: [
        challenge({ state: "claimed", progress: 5, claimedAt: "2026-11-16T18:00:00Z" }),
        challenge({ challengeId: "2" }),
      ],
    }),
  );
  const [claimed, open] = within(await screen.findByRole("list", { name: "Challenges" })).getAllByRole(
    "listitem",
  );
  expect(claimed).toHaveTextContent(/^.*5 of 5 ordersClaimed .*Nov 16$/);
  expect(open).toHaveTextContent("2 of 5 orders");
  expect(screen.queryByRole("button", { name: /^Claim/ })).toBeNull();
});

it("claims the points of a completed challenge once", async () => {
  const completed = challenge({ state: "completed", progress: 5 });
  const { user } = await openRewards(offerList({ challenges: [completed] }));
  const claim = await screen.findByRole("button", { name: "Claim 50 points: Five in a month" });
  const sent: unknown[] = [];
  server.use(
    mockPost("/user/challenges/claim", (body) => {
      sent.push(body);
      return { challenge: challenge({ state: "claimed", progress: 5 }), balance: 350 };
    }),
    mockGet("/user/offers", offerList({ challenges: [{ ...completed, state: "claimed" }] })),
    mockGet("/user/rewards", { points: { ...points, balance: 350 }, entries: [] }),
  );
  await user.click(claim);
  expect(await screen.findByText("50 points added")).toBeTruthy();
  expect(await screen.findByText("Claimed")).toBeTruthy();
  expect(await screen.findByText("350 points")).toBeTruthy();
  expect(sent).toEqual([{ challengeId: "five-orders" }]);
});

it("shows that a challenge was claimed already", async () => {
  const completed = challenge({ state: "completed", progress: 5 });
  const { user } = await openRewards(offerList({ challenges: [completed] }));
  const claim = await screen.findByRole("button", { name: /^Claim/ });
  const errors = ["You've claimed this already."];
  server.use(
    mockPostError("/user/challenges/claim", { status: 409, reason: "CHALLENGE_CLAIMED", errors }),
    mockGet("/user/offers", offerList({ challenges: [{ ...completed, state: "claimed" }] })),
  );
  await user.click(claim);
  expect(await screen.findByText("You've claimed this already.")).toBeTruthy();
  expect(await screen.findByText("Claimed")).toBeTruthy();
});

it("keeps the points if the offers cannot be loaded", async () => {
  server.use(mockGetError("/user/offers", { status: 500 }));
  const { user } = await renderRoute("/rewards", { session: maya });
  expect(await screen.findByText("300 points")).toBeTruthy();
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/user/offers", offerList()));
  await user.click(again);
  expect(await screen.findByText("Today is a bonus day")).toBeTruthy();
});

describe("after an order", () => {
  const used = offerList({
    offers: [offer({ isUsed: true })],
    challenges: [challenge({ state: "completed", progress: 5 })],
  });

  it.each(["Completed", "Cancelled"] as const)("shows what changed when it is %s", async (status) => {
    const { queryClient } = await openRewards();
    await screen.findByText("2 of 5 orders");
    cacheOrder(queryClient, makeOrder("Accepted"));
    server.use(
      mockGet("/user/offers", used),
      mockGet("/user/rewards", { points: { ...points, balance: 340 }, entries: [] }),
    );
    act(() => cacheOrder(queryClient, makeOrder(status, { version: 9 })));
    expect(await screen.findByRole("link", { name: /cold brew.*Used/ })).toBeTruthy();
    expect(await screen.findByText("340 points")).toBeTruthy();
  });

  it("shows the offer that it used", async () => {
    cartItem.set({ ...cart, promo: { ...cart.promo, code: "MONDAY1" } });
    const { user, router } = await openRewards();
    await screen.findByText("2 of 5 orders");
    server.use(
      mockPost("/order/pricing", () => quote),
      mockGet("/payments/list", { paymentMethods: [visa] }),
      mockGet("/store/cart-options", cartOptions),
      mockOrderStatus(makeOrder("Placed")),
      mockGet("/user/orders", { orders: [] }),
      mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
      mockPost("/order/create", () => ({ providerScript: null, ...makeOrder("Placed") })),
      mockGetError("/store/card", { status: 404 }),
      mockGetError("/cart/data", { status: 404 }),
    );
    await act(() => router.navigate({ to: "/checkout" }));
    const place = await screen.findByRole("button", { name: /^Place order/ });
    await waitFor(() => expect(place).toBeEnabled());
    server.use(mockGet("/user/offers", used));
    await user.click(place);
    await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
    await act(() => router.navigate({ to: "/rewards" }));
    expect(await screen.findByRole("link", { name: /cold brew.*Used/ })).toBeTruthy();
  });
});

it("hides the reward indicator", async () => {
  device.rewardIndicator.set({ day: "2026-11-23", shows: true });
  await openRewards();
  await screen.findByText("Today is a bonus day");
  expect(device.rewardIndicator.get()?.shows).toBe(false);
});
