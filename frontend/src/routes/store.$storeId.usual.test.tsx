import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { menuKeys } from "@/features/menu/queries";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { usualLatte } from "@/features/menu/testing/usual-items";
import { MAX_WAIT_MS } from "@/features/menu/use-menu-with-carousels";
import { usualItemKeys } from "@/features/menu/usual-items";
import { sunset, sunsetStatus } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { holdTimers } from "@/testing/hold-timers";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const { itemId, name, description, kind, art, modifications, sizes } = icedVanillaLatte;
const menuItem = {
  itemId,
  name,
  description,
  kind,
  art,
  allergens: [],
  detail: "160 Cal",
  soldOut: false,
  priceFrom: cents(525),
};
const menu = {
  sections: [{ category: { categoryId: "iced", name: "Iced coffee", itemCount: 1 }, items: [menuItem] }],
};
const item = "/store/sunset/item/iced-vanilla-latte";
const line = {
  lineId: "line-1",
  itemId,
  sizeId: "medium",
  sizeIndex: 0,
  quantity: 1,
  choices: [],
  note: "",
  name,
  sizeName: "Medium",
  unitPrice: 525,
  art,
};

beforeEach(() => {
  server.use(
    mockGet("/store/info", sunset),
    mockGet("/store/menu/categories", { categories: menu.sections.map(({ category }) => category) }),
    mockGet("/store/menu", menu),
    mockGet("/store/status", sunsetStatus),
    mockGet("/item/details", icedVanillaLatte),
    mockGetError("/store/pickup-options", { status: 404 }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
  );
});

it("saves the customization as a usual item and removes it again", async () => {
  const bodies: unknown[] = [];
  server.use(
    mockPost("/item/add-usual-item", (body) => {
      bodies.push(body);
      server.use(mockGet("/store/usual-items", { items: [usualLatte] }));
      return usualLatte;
    }),
    mockPost("/item/delete-usual-item", (body) => {
      bodies.push(body);
      server.use(mockGet("/store/usual-items", { items: [] }));
      return {};
    }),
  );
  const { user } = await renderRoute(item, { session: maya });
  await user.click(await screen.findByRole("radio", { name: /^Large/ }));
  await user.click(screen.getByRole("radio", { name: /Oat/ }));
  const button = await screen.findByRole("button", { name: "Usual item", pressed: false });
  await user.click(button);
  await screen.findByRole("button", { name: "Usual item", pressed: true });
  expect(bodies[0]).toEqual({
    storeId: "sunset",
    itemId,
    sizeId: "large",
    choices: usualLatte.choices,
    note: "",
    name: "",
  });
  // Another customization is another usual item.
  await user.click(screen.getByRole("radio", { name: /Extra large/ }));
  await screen.findByRole("button", { name: "Usual item", pressed: false });
  await user.click(screen.getByRole("radio", { name: /^Large/ }));
  await user.click(await screen.findByRole("button", { name: "Usual item", pressed: true }));
  await screen.findByRole("button", { name: "Usual item", pressed: false });
  expect(bodies[1]).toEqual({ usualItemId: "usual-1" });
});

it("shows why a usual item cannot be saved", async () => {
  const errors = ["You can save up to 20 usual items. Remove one first."];
  server.use(mockPostError("/item/add-usual-item", { status: 409, reason: "USUAL_ITEM_LIMIT", errors }));
  const { user } = await renderRoute(item, { session: maya });
  await user.click(await screen.findByRole("button", { name: "Usual item" }));
  expect(await screen.findByText("You can save up to 20 usual items. Remove one first.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Usual item", pressed: false })).toBeInTheDocument();
});

it("explains usual items once, and only to signed-in consumers", async () => {
  const first = await renderRoute(item);
  await screen.findByRole("button", { name: /Add to cart/ });
  expect(screen.queryByText(/Tap the heart/)).not.toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Usual item" })).not.toBeInTheDocument();
  first.unmount();
  const second = await renderRoute(item, { session: maya });
  await screen.findByText(/Tap the heart/);
  await waitFor(() => expect(device.showedUsualItemGuide.get()).toBe(true));
  second.unmount();
  await renderRoute(item, { session: maya });
  await screen.findByRole("button", { name: "Usual item" });
  expect(screen.queryByText(/Tap the heart/)).not.toBeInTheDocument();
});

it("adds a usual item from the menu with its choices, and opens it as it was saved", async () => {
  const soldOut = {
    ...usualLatte,
    usualItemId: "usual-2",
    name: "Friday",
    problem: { lineId: "usual-2", reason: "CHOICE_SOLD_OUT", message: "Oat is sold out." },
  };
  server.use(
    mockGet("/store/usual-items", { items: [usualLatte, soldOut] }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  const { user } = await renderRoute("/store/sunset/menu", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Add · $6.50: Iced Vanilla Latte" }));
  expect(cartItem.get()).toMatchObject({
    storeId: "sunset",
    items: [{ itemId, sizeId: "large", unitPrice: 650, choices: [{ choiceId: "oat", name: "Oat milk" }] }],
  });
  expect(screen.getByText("Oat is sold out.")).toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: /Iced Vanilla Latte Large, oat milk/ }));
  expect(await screen.findByRole("radio", { name: /^Large/ })).toBeChecked();
  expect(screen.getByRole("radio", { name: /Oat/ })).toBeChecked();
  expect(screen.getByRole("button", { name: "Add to cart · $6.50" })).toBeInTheDocument();
});

it("lists the usual items first among the categories, once they are loaded", async () => {
  holdTimers(MAX_WAIT_MS);
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(mockGet("/store/usual-items", usuals.promise));
  const { user } = await renderRoute("/store/sunset/menu", { session: maya });
  const bar = within(await screen.findByRole("navigation", { name: "Categories" }));
  expect(bar.queryByRole("link")).toBeNull();
  await act(async () => usuals.resolve({ items: [usualLatte] }));
  const links = await bar.findAllByRole("link");
  expect(links.map(({ textContent }) => textContent)).toEqual(["Usuals", "Iced coffee"]);
  const heading = await screen.findByRole("heading", { name: "Your usuals" });
  await user.click(screen.getByRole("link", { name: "Usuals" }));
  expect(heading).toHaveFocus();
  // A search shows the sections of the menu only.
  await user.click(screen.getByRole("button", { name: "Search this menu" }));
  expect(bar.queryByRole("link", { name: "Usuals" })).toBeNull();
});

it("has only the categories of the menu for a consumer without usual items", async () => {
  await renderRoute("/store/sunset/menu", { session: maya });
  const bar = within(await screen.findByRole("navigation", { name: "Categories" }));
  expect(await bar.findByRole("link", { name: "Iced coffee" })).toHaveAttribute("aria-current", "true");
  expect(bar.queryByRole("link", { name: "Usuals" })).toBeNull();
});

it("shows the menu together with the popular items above it", async () => {
  holdTimers(MAX_WAIT_MS);
  const popular = Promise.withResolvers<{ items: (typeof menuItem)[] }>();
  server.use(mockGet("/store/top-ordered", popular.promise));
  const { queryClient } = await renderRoute("/store/sunset/menu");
  await screen.findByRole("navigation", { name: "Categories" });
  await waitFor(() => expect(queryClient.getQueryData(menuKeys.menu("sunset"))).toBeDefined());
  expect(screen.queryByRole("heading", { name: "Iced coffee" })).not.toBeInTheDocument();
  await act(async () => popular.resolve({ items: [{ ...menuItem, itemId: "mocha", name: "Mocha" }] }));
  expect(await screen.findByRole("heading", { name: "Iced coffee" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Popular here" })).toBeInTheDocument();
});

it("shows the menu if the popular items fail to load", async () => {
  server.use(mockGetError("/store/top-ordered", { status: 503 }));
  await renderRoute("/store/sunset/menu");
  expect(await screen.findByRole("heading", { name: "Iced coffee" })).toBeInTheDocument();
});

it("shows the menu without popular items that load slowly, and does not push it down later", async () => {
  const waits = holdTimers(MAX_WAIT_MS);
  const popular = Promise.withResolvers<{ items: (typeof menuItem)[] }>();
  server.use(mockGet("/store/top-ordered", popular.promise));
  const { queryClient } = await renderRoute("/store/sunset/menu");
  await waitFor(() => expect(waits).not.toEqual([]));
  expect(screen.queryByRole("heading", { name: "Iced coffee" })).toBeNull();
  act(() => {
    for (const end of waits) end();
  });
  expect(await screen.findByRole("heading", { name: "Iced coffee" })).toBeInTheDocument();
  await act(async () => popular.resolve({ items: [{ ...menuItem, itemId: "mocha", name: "Mocha" }] }));
  await waitFor(() => expect(queryClient.getQueryData(menuKeys.topOrdered("sunset"))).toBeDefined());
  expect(screen.queryByRole("heading", { name: "Popular here" })).toBeNull();
});

it("shows the menu together with the usual items, once the session and the items are loaded", async () => {
  holdTimers(MAX_WAIT_MS);
  const profile = Promise.withResolvers<typeof maya>();
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(mockGet("/store/usual-items", usuals.promise));
  const { queryClient } = await renderRoute("/store/sunset/menu", { session: profile.promise });
  await waitFor(() => expect(queryClient.getQueryData(menuKeys.menu("sunset"))).toBeDefined());
  await screen.findByRole("navigation", { name: "Categories" });
  expect(screen.queryByRole("heading", { name: "Iced coffee" })).toBeNull();
  await act(async () => profile.resolve(maya));
  await waitFor(() => expect(queryClient.isFetching({ queryKey: usualItemKeys.all })).toBe(1));
  expect(screen.queryByRole("heading", { name: "Iced coffee" })).toBeNull();
  await act(async () => usuals.resolve({ items: [usualLatte] }));
  expect(await screen.findByRole("heading", { name: "Iced coffee" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Your usuals" })).toBeInTheDocument();
});

it("shows the menu without usual items that load slowly, and does not push it down later", async () => {
  const waits = holdTimers(MAX_WAIT_MS);
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(
    mockGet("/store/usual-items", usuals.promise),
    mockGet("/store/top-ordered", { items: [{ ...menuItem, itemId: "mocha", name: "Mocha" }] }),
  );
  const { queryClient } = await renderRoute("/store/sunset/menu", { session: maya });
  await waitFor(() => expect(queryClient.getQueryData(menuKeys.topOrdered("sunset"))).toBeDefined());
  await waitFor(() => expect(waits).not.toEqual([]));
  act(() => {
    for (const end of waits) end();
  });
  expect(await screen.findByRole("heading", { name: "Popular here" })).toBeInTheDocument();
  await act(async () => usuals.resolve({ items: [usualLatte] }));
  await waitFor(() => expect(queryClient.getQueryData(usualItemKeys.store("sunset"))).toBeDefined());
  expect(screen.queryByRole("heading", { name: "Your usuals" })).toBeNull();
});

it("shows the menu if the usual items fail to load", async () => {
  server.use(mockGetError("/store/usual-items", { status: 503 }));
  await renderRoute("/store/sunset/menu", { session: maya });
  expect(await screen.findByRole("heading", { name: "Iced coffee" })).toBeInTheDocument();
});

it("keeps a choice that was made before the session and the usual items are loaded", async () => {
  cartItem.set((cart) => ({
    ...cart,
    storeId: "sunset",
    items: [line],
  }));
  const profile = Promise.withResolvers<typeof maya>();
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(
    mockGet("/store/usual-items", usuals.promise),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  const { user, queryClient } = await renderRoute(`${item}?line=line-1`, { session: profile.promise });
  await user.click(await screen.findByRole("radio", { name: /^Large/ }));
  await act(async () => profile.resolve(maya));
  await waitFor(() => expect(queryClient.isFetching({ queryKey: usualItemKeys.all })).toBe(1));
  expect(screen.getByRole("radio", { name: /^Large/ })).toBeChecked();
  await act(async () => usuals.resolve({ items: [] }));
  await screen.findByRole("button", { name: "Usual item" });
  expect(screen.getByRole("radio", { name: /^Large/ })).toBeChecked();
});

it("renders once the session and the usual item that it starts with are loaded", async () => {
  const profile = Promise.withResolvers<typeof maya>();
  const usuals = Promise.withResolvers<{ items: (typeof usualLatte)[] }>();
  server.use(mockGet("/store/usual-items", usuals.promise));
  const { queryClient } = await renderRoute(`${item}?usual=usual-1`, { session: profile.promise });
  await waitFor(() => expect(queryClient.getQueryData(menuKeys.item("sunset", itemId))).toBeDefined());
  expect(screen.queryByRole("radio", { name: /^Large/ })).not.toBeInTheDocument();
  await act(async () => profile.resolve(maya));
  await waitFor(() => expect(queryClient.isFetching({ queryKey: usualItemKeys.all })).toBe(1));
  expect(screen.queryByRole("radio", { name: /^Large/ })).not.toBeInTheDocument();
  await act(async () => usuals.resolve({ items: [usualLatte] }));
  expect(await screen.findByRole("button", { name: "Add to cart · $6.50" })).toBeInTheDocument();
});

it("starts with the defaults of the item if the usual items fail to load", async () => {
  server.use(mockGetError("/store/usual-items", { status: 400 }));
  await renderRoute(`${item}?usual=usual-1`, { session: maya });
  expect(await screen.findByRole("button", { name: "Add to cart · $5.25" })).toBeInTheDocument();
});

it("shows the popular items of the store", async () => {
  server.use(mockGet("/store/top-ordered", { items: [{ ...menuItem, itemId: "mocha", name: "Mocha" }] }));
  await renderRoute("/store/sunset/menu");
  expect(await screen.findByRole("heading", { name: "Popular here" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Add Mocha" })).toBeInTheDocument();
});

/** Returns responses with the milks of the item at its large size, and with oat milk. */
function mockMilk() {
  const [milk] = modifications;
  const [, large] = sizes;
  if (!milk || !large) throw new Error("the item has milk and sizes");
  const atSize = milk.choices.map((choice) => ({
    ...choice,
    prices: choice.prices.filter(({ sizeId }) => sizeId === "large"),
  }));
  const [, oat] = atSize;
  if (!oat) throw new Error("the milk group has oat");
  return [
    mockGet("/item/modification", {
      itemId,
      itemName: name,
      size: large,
      modification: { ...milk, choices: atSize },
    }),
    mockGet("/item/modification-choice", {
      itemId,
      itemName: name,
      size: large,
      modificationId: "milk",
      modificationName: "Milk",
      choice: oat,
    }),
  ];
}

it("opens an option group and a choice by their addresses", async () => {
  server.use(...mockMilk());
  const { user, router } = await renderRoute(`${item}?size=large&group=milk`);
  expect(await screen.findByRole("dialog", { name: "Milk" })).toHaveTextContent("Large");
  expect(await screen.findByRole("link", { name: /Coconut.*Sold out today/ })).toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: /Oat/ }));
  const sheet = await screen.findByRole("dialog", { name: "Oat" });
  expect(sheet).toHaveTextContent("+$0.70");
  expect(router.state.location.search).toEqual({ size: "large", group: "milk", choice: "oat" });
  await user.click(await screen.findByRole("button", { name: "Choose oat milk" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ size: "large" }));
  expect(await screen.findByRole("button", { name: "Add to cart · $6.50" })).toBeInTheDocument();
});

it.each([
  ["an option group", "group=milk", "/item/modification", "Milk"],
  ["a choice", "group=milk&choice=oat", "/item/modification-choice", "Oat"],
] as const)("offers to try again if %s cannot be loaded", async (_, search, path, title) => {
  server.use(mockGetError(path, { status: 500 }));
  const { user } = await renderRoute(`${item}?size=large&${search}`);
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(...mockMilk());
  await user.click(again);
  expect(await screen.findByRole("dialog", { name: title })).toHaveTextContent("+$0.70");
});
