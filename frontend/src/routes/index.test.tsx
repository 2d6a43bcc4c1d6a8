import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, http } from "msw";
import { expect, it } from "vitest";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { usualLatte } from "@/features/menu/testing/usual-items";
import { sunset } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { MAX_WAIT_MS } from "@/lib/use-parts-ready";
import { orderKeys, sessionQuery } from "@/shell/queries";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { cart, quote } from "@/testing/cart";
import { holdTimers } from "@/testing/hold-timers";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

it("shows stores and a sign-in link to signed-out consumers", async () => {
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  await renderRoute("/");
  expect(
    await screen.findByRole("heading", { level: 1, name: /^Good (morning|afternoon|evening)$/ }),
  ).toBeVisible();
  expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/sign-in/getting-started",
  );
  expect(await screen.findByRole("link", { name: /Sunset & Maltman/ })).toBeInTheDocument();
});

it("keeps the sign-in card in place while the server has not responded", async () => {
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { queryClient } = await renderRoute("/");
  await screen.findByRole("link", { name: "Sign in" });
  server.use(http.get("*/api/consumer/user/profile", () => delay("infinite")));
  void queryClient.resetQueries({ queryKey: sessionQuery.queryKey });
  await waitFor(() => expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeUndefined());
  expect(screen.getByRole("link", { name: "Sign in" })).toBeInTheDocument();
});

it("offers a new consumer what sells most at the nearest open store", async () => {
  const { itemId, name, description, kind, art } = icedVanillaLatte;
  const latte = { itemId, name, description, kind, art, allergens: [], detail: "", priceFrom: cents(525) };
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/top-ordered", {
      items: [
        { ...latte, soldOut: false },
        { ...latte, itemId: "sold-out", name: "Cold brew", soldOut: true },
      ],
    }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
  );
  await renderRoute("/", { session: maya });
  expect(await screen.findByRole("link", { name: "Iced Vanilla Latte $5.25" })).toHaveAttribute(
    "href",
    `/store/sunset/item/${itemId}`,
  );
  expect(screen.getByText("Popular at Sunset & Maltman right now.")).toBeInTheDocument();
  // The location is unknown.
  expect(screen.getByRole("heading", { name: "Popular right now" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /Cold brew/ })).toBeNull();
});

it("links to the cart and moves the focus to the heading of the next screen", async () => {
  cartItem.set(cart);
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { user } = await renderRoute("/");
  expect(await screen.findByRole("link", { name: "1 item, Sunset & Maltman View cart" })).toHaveAttribute(
    "href",
    "/cart",
  );
  await user.click(screen.getByRole("link", { name: "Explore" }));
  // Otherwise screen readers would not announce the new screen.
  await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: "Explore" })).toHaveFocus());
});

it("leads to the bookmark until it is opened", async () => {
  device.bookmark.set({ url: "/explore", name: "Explore" });
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { user, router } = await renderRoute("/");
  await user.click(await screen.findByRole("link", { name: "Continue to Explore" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/explore"));
  expect(device.bookmark.get()).toBeNull();
});

it("shows a bookmark that is stored while home is open, and keeps the parameters of its address", async () => {
  server.use(mockGet("/stores/list", { stores: [sunset] }), mockGet("/stores/search", { stores: [sunset] }));
  const { user, router, queryClient } = await renderRoute("/");
  await screen.findByRole("link", { name: /Sunset & Maltman/ });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  act(() => device.bookmark.set({ url: "/explore/filtered?q=echo", name: "Stores in Echo Park" }));
  await user.click(await screen.findByRole("link", { name: "Continue to Stores in Echo Park" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/explore/filtered"));
  expect(router.state.location.search).toEqual({ q: "echo" });
});

it("dismisses the bookmark", async () => {
  device.bookmark.set({ url: "/explore", name: "" });
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { user } = await renderRoute("/");
  expect(await screen.findByRole("link", { name: "Continue where you left off" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Dismiss bookmark" }));
  expect(screen.queryByRole("complementary", { name: "Your bookmark" })).toBeNull();
});

it("greets by name and renders without unavailable parts", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 2, unseen: 2 }),
    mockGetError("/user/points", { status: 404 }),
  );
  await renderRoute("/", { session: maya });
  expect(await screen.findByRole("heading", { level: 1, name: /, Maya$/ })).toBeVisible();
  expect(await screen.findByRole("link", { name: "Find a store" })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: /Sunset & Maltman/ })).toBeInTheDocument();
});

it("offers a new consumer drinks of the menu while the nearest open store has sold nothing", async () => {
  const { itemId, name, description, kind, art } = icedVanillaLatte;
  const latte = { itemId, name, description, kind, art, allergens: [], detail: "", priceFrom: cents(525) };
  const items = [
    { ...latte, soldOut: false },
    { ...latte, itemId: "sold-out", name: "Cold brew", soldOut: true },
    { ...latte, itemId: "muffin", name: "Muffin", kind: "food" as const, soldOut: false },
  ];
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/menu", {
      sections: [{ category: { categoryId: "coffee", name: "Coffee", itemCount: 3 }, items }],
    }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGetError("/user/points", { status: 404 }),
  );
  await renderRoute("/", { session: maya });
  expect(await screen.findByRole("link", { name: "Iced Vanilla Latte $5.25" })).toHaveAttribute(
    "href",
    `/store/sunset/item/${itemId}`,
  );
  expect(screen.getByRole("heading", { name: "On the menu" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /Cold brew|Muffin/ })).toBeNull();
});

it("leads from sample drinks to the nearest open store while its menu is unknown", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/top-ordered", { items: [] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
  );
  await renderRoute("/", { session: maya });
  await waitFor(() =>
    expect(document.querySelectorAll('.drink-carousel a[href="/store/sunset/menu"]')).toHaveLength(5),
  );
});

it("leads from the drink of a past order to that order", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/user/orders", { orders: [makeOrder("Completed")] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
  );
  await renderRoute("/", { session: maya });
  const heading = await screen.findByRole("heading", { level: 3, name: quote.lines[0]?.itemName ?? "" });
  expect(heading.closest("a")).toHaveAttribute("href", "/orders/order-1");
});

const savedCart = {
  cartId: "c1",
  storeId: "sunset",
  items: [
    {
      lineId: "l1",
      itemId: icedVanillaLatte.itemId,
      sizeId: "large",
      quantity: 2,
      choices: [{ modificationId: "milk", choiceId: "oat", quantity: 1 }],
      note: "",
    },
  ],
  pickup: "counter" as const,
  schedule: null,
  promo: { code: "", type: "fixed", value: 0 },
  tipAmount: 0,
};

const savedCartData = { cart: savedCart, savedAt: "2026-11-20T16:00:00Z", quote, changes: [] };

it("lists what changed since the cart was saved before it is restored", async () => {
  const change = {
    lineId: "l1",
    itemName: "Iced vanilla latte",
    reason: "PRICE_CHANGED",
    message: "Iced vanilla latte is now $6.50 instead of $6.25.",
    before: cents(625),
    after: cents(650),
  };
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/card", sunset),
    mockGet("/item/details", icedVanillaLatte),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
    mockGet("/user/cart", { cart: savedCart, savedAt: "2026-11-20T16:00:00Z" }),
    mockGet("/cart/data", { ...savedCartData, changes: [change] }),
  );
  const { user } = await renderRoute("/", { session: maya });
  const restore = await screen.findByRole("button", { name: "Restore cart" });
  expect(screen.getByText("You left 2 items in your cart.")).toBeInTheDocument();
  await user.click(restore);
  const dialog = await screen.findByRole("dialog", { name: "Some items changed" });
  expect(within(dialog).getByText(change.message)).toBeInTheDocument();
  expect(cartItem.get().items).toEqual([]);
  server.use(
    mockPostError("/order/pricing", { status: 422 }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  await user.click(within(dialog).getByRole("button", { name: "Restore cart" }));
  await waitFor(() => expect(cartItem.get().items).toHaveLength(1));
});

it("lists an item in a size that is gone, and does not replace the size", async () => {
  const other = { ...savedCart.items[0], lineId: "l2", sizeId: "medium", quantity: 1, choices: [], note: "" };
  const cart = {
    ...savedCart,
    items: [{ ...savedCart.items[0], sizeId: "trenta" }, other],
  } as typeof savedCart;
  const change = {
    lineId: "l1",
    itemName: "Iced vanilla latte",
    reason: "SIZE_UNKNOWN",
    message: "Iced vanilla latte doesn't come in that size.",
    before: cents(725),
    after: null,
  };
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/card", sunset),
    mockGet("/item/details", icedVanillaLatte),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
    mockGet("/user/cart", { cart, savedAt: "2026-11-20T16:00:00Z" }),
    mockGet("/cart/data", { ...savedCartData, cart, changes: [change] }),
    mockPostError("/order/pricing", { status: 422 }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  const { user } = await renderRoute("/", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Restore cart" }));
  const dialog = await screen.findByRole("dialog", { name: "Some items changed" });
  expect(within(dialog).getByText(change.message)).toBeInTheDocument();
  await user.click(within(dialog).getByRole("button", { name: "Restore cart" }));
  await waitFor(() => expect(cartItem.get().items).toHaveLength(1));
  expect(cartItem.get().items).toMatchObject([{ sizeId: "medium", quantity: 1 }]);
});

it("restores the saved cart with names and prices from the menu, and with pickup, time, code and tip", async () => {
  const choices = {
    pickup: "curbside" as const,
    schedule: "2026-11-20T18:00:00Z",
    promo: { code: "TREAT3", type: "fixed", value: 300 },
    tipAmount: 150,
  };
  const cart = { ...savedCart, ...choices };
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/card", sunset),
    mockGet("/item/details", icedVanillaLatte),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGet("/user/points", { balance: 0, tiers: [], pointsPerUnit: 10 }),
    mockGet("/user/cart", { cart, savedAt: "2026-11-20T16:00:00Z" }),
    mockGet("/cart/data", { ...savedCartData, cart }),
  );
  const { user } = await renderRoute("/", { session: maya });
  const restore = await screen.findByRole("button", { name: "Restore cart" });
  // Requests of the cart screen, which this test does not check.
  server.use(
    mockGetError("/store/cart-options", { status: 404 }),
    mockPostError("/order/pricing", { status: 422 }),
  );
  server.use(mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })));
  await user.click(restore);
  await waitFor(() =>
    expect(cartItem.get()).toMatchObject({
      ...choices,
      storeName: "Sunset & Maltman",
      items: [{ sizeName: "Large", quantity: 2, unitPrice: 650, choices: [{ name: "Oat milk" }] }],
    }),
  );
});

it("keeps the saved cart if its items cannot be loaded", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: savedCart, savedAt: "2026-11-20T16:00:00Z" }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
    mockGetError("/item/details", { status: 503 }),
    mockGet("/cart/data", savedCartData),
    mockGet("/store/card", sunset),
  );
  const { user } = await renderRoute("/", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Restore cart" }));
  await screen.findByText(/not available right now|isn't available right now/);
  expect(cartItem.get().items).toEqual([]);
});

it("shows the parts of home together, because each would push down those below it", async () => {
  holdTimers(MAX_WAIT_MS);
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/user/orders", { orders: [makeOrder("Completed")] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
    mockGet("/store/usual-items", usuals.promise),
  );
  const { queryClient } = await renderRoute("/", { session: maya });
  await waitFor(() => expect(queryClient.getQueryData(orderKeys.history)).toBeDefined());
  await waitFor(() => expect(queryClient.isFetching()).toBe(1));
  expect(screen.queryByRole("link", { name: /^Sunset & Maltman/ })).toBeNull();
  expect(screen.queryByRole("link", { name: "All orders" })).toBeNull();
  await act(async () => usuals.resolve({ items: [usualLatte] }));
  expect(await screen.findByRole("heading", { name: "Your usuals" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "All orders" })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: /^Sunset & Maltman/ })).toBeInTheDocument();
});

it("shows home without a part that loads slowly", async () => {
  const waits = holdTimers(MAX_WAIT_MS);
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/user/orders", { orders: [makeOrder("Completed")] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
    mockGet("/store/usual-items", usuals.promise),
  );
  const { queryClient } = await renderRoute("/", { session: maya });
  await waitFor(() => expect(queryClient.getQueryData(orderKeys.history)).toBeDefined());
  await waitFor(() => expect(waits).not.toEqual([]));
  act(() => {
    for (const end of waits) end();
  });
  expect(await screen.findByRole("link", { name: "All orders" })).toBeInTheDocument();
  await act(async () => usuals.resolve({ items: [] }));
});

it("polls an active order while the stream is not connected", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/user/orders", { orders: [] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
  );
  const { queryClient } = await renderRoute("/", { session: maya });
  server.use(
    mockGet("/order/active-orders", { orders: [makeOrder("Preparing")] }),
    mockOrderStatus(makeOrder("Ready")),
  );
  await queryClient.invalidateQueries({ queryKey: orderKeys.allActive });
  expect(await screen.findByText("Being made")).toBeInTheDocument();
  expect(await screen.findByText("Ready for pickup")).toBeInTheDocument();
});
