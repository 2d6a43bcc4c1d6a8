import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { offer, offerList } from "@/features/offers/testing/offers";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, server } from "@/testing/server";

beforeEach(() =>
  server.use(
    mockGet("/stores/list", { stores: [] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGet("/user/points", { balance: 480, tiers: [], pointsPerUnit: 10 }),
    mockGet("/user/offers", offerList()),
  ),
);

it("shows today's offer until it is dismissed, once a day", async () => {
  device.lastNotifiedOffer.set("2026-11-20");
  const { user } = await renderRoute("/", { session: maya });
  expect(await screen.findByRole("link", { name: "See offer" })).toHaveAttribute(
    "href",
    "/rewards?offerId=monday",
  );
  await user.click(screen.getByRole("button", { name: "Dismiss today's offer" }));
  expect(screen.queryByRole("link", { name: "See offer" })).toBeNull();
  expect(device.lastNotifiedOffer.get()).toBe("2026-11-23");
});

it("does not show an offer that was used", async () => {
  server.use(mockGet("/user/offers", offerList({ offers: [offer({ isUsed: true })] })));
  await renderRoute("/", { session: maya });
  expect(await screen.findByText("480 points")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "See offer" })).toBeNull();
});
