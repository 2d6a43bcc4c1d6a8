import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { StaffSession, StoreMenu } from "@/features/console/queries";
import { cartItem } from "@/state/cart";
import { cart, quote } from "@/testing/cart";
import { MockEventSource } from "@/testing/event-source";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, server } from "@/testing/server";

beforeEach(() => MockEventSource.install());

const storeStream = () =>
  waitFor(() => {
    const stream = MockEventSource.opened.find(({ url }) => url.includes("/store/events"));
    if (!stream) throw new Error("no stream of the store");
    return stream;
  });

it("shows in an open cart what its store sells out", async () => {
  cartItem.set(cart);
  server.use(
    mockPost("/order/pricing", () => quote),
    mockGetError("/cart/data", { status: 404 }),
    mockGet("/store/upsell-items", { items: [] }),
  );
  await renderRoute("/cart", { session: maya });
  await screen.findByRole("link", { name: /^Check out · \$12\.40/ });
  const [line] = cart.items;
  const problem = { lineId: line?.lineId ?? "", reason: "ITEM_SOLD_OUT", message: "Iced latte is sold out." };
  server.use(mockPost("/order/pricing", () => ({ ...quote, problems: [problem] })));
  (await storeStream()).emit("menu", { storeId: cart.storeId });
  expect(await screen.findByText(problem.message)).toBeInTheDocument();
});

const session: StaffSession = {
  storeId: "store-sunset",
  storeName: "Sunset & Maltman",
  timeZone: "America/Los_Angeles",
  openState: "open",
  hoursToday: "Open until 8:00 PM",
  waitMinutes: 8,
  pause: null,
};

const menuOf = (soldOut: boolean): StoreMenu => ({
  sections: [
    {
      categoryId: "drinks",
      name: "Drinks",
      items: [{ itemId: "latte", name: "Iced latte", soldOut, sizes: [] }],
    },
  ],
  modifications: [],
});

it("shows on one tablet of a store what another one switches off and pauses", async () => {
  server.use(
    mockGet("/store-api/staff/session", session),
    mockGet("/store-api/queue", { orders: [], nextCursor: null }),
    mockGet("/store-api/stores/{id}/scheduled-orders", { orders: [] }),
    mockGet("/store-api/stores/{id}/menu", menuOf(false)),
  );
  await renderRoute("/store-console/sold-out");
  expect(await screen.findByRole("checkbox", { name: "Iced latte available" })).toBeChecked();
  const pause = { reason: "busy" as const, until: null, message: "We're catching up on orders." };
  server.use(
    mockGet("/store-api/staff/session", { ...session, openState: "paused", pause }),
    mockGet("/store-api/stores/{id}/menu", menuOf(true)),
  );
  const stream = await storeStream();
  stream.emit("menu", { storeId: session.storeId });
  await waitFor(() =>
    expect(screen.getByRole("checkbox", { name: "Iced latte available" })).not.toBeChecked(),
  );
  stream.emit("status", { storeId: session.storeId });
  expect(await screen.findByText(/^New orders are paused/)).toBeInTheDocument();
});
