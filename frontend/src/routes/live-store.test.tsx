import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { StaffSession, StoreMenu } from "@/features/console/queries";
import { menuKeys } from "@/features/menu/queries";
import { sunset, sunsetStatus } from "@/features/stores/testing/stores";
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

describe("a menu", () => {
  const MINUTE_MS = 60_000;

  /** Opens a menu that was read at this time, and its stream, which is not connected yet. Returns how often the menu was read. */
  async function openMenu(readAt: number) {
    let reads = 0;
    server.use(
      mockGet("/store/info", sunset),
      mockGet("/store/menu/categories", { categories: [] }),
      http.get("*/api/consumer/store/menu", () => {
        reads += 1;
        return HttpResponse.json({ success: true, data: { sections: [] }, errors: [] });
      }),
      mockGet("/store/status", sunsetStatus),
      mockGetError("/store/pickup-options", { status: 404 }),
    );
    const { queryClient } = await renderRoute("/store/sunset/menu");
    await screen.findByRole("heading", { name: "No menu yet" });
    const stream = await storeStream();
    const key = menuKeys.menu("sunset");
    act(() => void queryClient.setQueryData(key, { sections: [] }, { updatedAt: readAt }));
    return { stream, queryClient, countReads: () => reads };
  }

  it("is not read again when its stream opens, because it has just been read", async () => {
    const { stream, queryClient, countReads } = await openMenu(Date.now() + MINUTE_MS);
    stream.connect();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(countReads()).toBe(1);
    stream.emit("menu", { storeId: "sunset" });
    await waitFor(() => expect(countReads()).toBe(2));
  });

  it("is read again when its stream opens later, because a change may have been missed", async () => {
    const { stream, countReads } = await openMenu(Date.now() - MINUTE_MS);
    stream.connect();
    await waitFor(() => expect(countReads()).toBe(2));
  });
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
