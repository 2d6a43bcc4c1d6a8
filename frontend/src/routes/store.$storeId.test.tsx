import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { menuKeys } from "@/features/menu/queries";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { echoPark, sunset, sunsetStatus } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { removedOptions, storeItemOptions } from "@/state/item-options";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const { itemId, name, description, kind, art } = icedVanillaLatte;
const menuItem = { itemId, name, description, kind, art, allergens: [], detail: "160 Cal", soldOut: false };
const menu = {
  sections: [
    {
      category: { categoryId: "iced", name: "Iced coffee", itemCount: 2 },
      items: [
        { ...menuItem, priceFrom: cents(525) },
        { ...menuItem, itemId: "cold-brew", name: "Cold brew", priceFrom: cents(425), soldOut: true },
      ],
    },
  ],
};
const pickup = {
  counter: true,
  curbside: true,
  earliestAt: "2026-11-20T16:34:00Z",
  earliestLocalTime: "08:34",
  slots: [],
  timeZone: sunset.timeZone,
};

beforeEach(() => {
  server.use(
    mockGet("/store/info", sunset),
    mockGet("/store/menu/categories", { categories: menu.sections.map(({ category }) => category) }),
    mockGet("/store/menu", menu),
    mockGet("/store/pickup-options", pickup),
    mockGet("/store/status", sunsetStatus),
    mockGet("/item/details", icedVanillaLatte),
    mockGet("/item/sizes", { sizes: icedVanillaLatte.sizes }),
    mockGet("/item/modifications", { modifications: icedVanillaLatte.modifications }),
  );
});

describe("the menu", () => {
  it("shows the promised time and sold-out items", async () => {
    await renderRoute("/store/sunset/menu");
    expect(await screen.findByRole("heading", { name: "Sunset & Maltman" })).toBeInTheDocument();
    expect(await screen.findByText("ready 8:34")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /Cold brew/ })).toHaveTextContent("Sold out today");
    expect(screen.queryByRole("button", { name: "Add Cold brew" })).not.toBeInTheDocument();
  });

  it("shows how often the store is ready on time, unless it has few orders", async () => {
    const { unmount } = await renderRoute("/store/sunset/menu");
    await screen.findByText("ready 8:34");
    expect(screen.queryByText(/Ready on time/)).toBeNull();
    unmount();
    server.use(
      mockGet("/store/status", { ...sunsetStatus, promiseRecord: { orders: 250, keptPercent: 96 } }),
    );
    await renderRoute("/store/sunset/menu");
    expect(await screen.findByText(/Ready on time 96% of the time/)).toBeInTheDocument();
  });

  it("shows how consumers rate the store in half stars", async () => {
    server.use(mockGet("/store/status", { ...sunsetStatus, rating: { ratings: 32, averageTenths: 44 } }));
    await renderRoute("/store/sunset/menu");
    const stars = await screen.findByRole("img", { name: "4.4 of 5 stars" });
    const looks = [...stars.querySelectorAll("[data-look]")].map((star) => star.getAttribute("data-look"));
    expect(looks).toEqual(["filled", "filled", "filled", "filled", "half"]);
    expect(screen.getByText(/ratings in 30 days/)).toBeInTheDocument();
  });

  it("links to the company and shows the picture of the store", async () => {
    const { container } = await renderRoute("/store/sunset/menu");
    expect(await screen.findByRole("link", { name: "Juniper Lane Coffee" })).toHaveAttribute(
      "href",
      "/company/juniper",
    );
    expect(container.querySelector("header img")).toHaveAttribute("src", sunset.storePhoto);
  });

  it("shows the store and its categories before the menu is loaded", async () => {
    server.use(http.get("*/api/consumer/store/menu", () => delay("infinite")));
    await renderRoute("/store/sunset/menu");
    const categories = await screen.findByRole("navigation", { name: "Categories" });
    expect(within(categories).getByRole("link", { name: "Iced coffee" })).toBeInTheDocument();
    expect(screen.getByText("Loading the menu")).toBeInTheDocument();
  });

  it("opens the sizes and adds the item with its defaults", async () => {
    const { user } = await renderRoute("/store/sunset/menu");
    await user.click(await screen.findByRole("button", { name: "Add Iced Vanilla Latte" }));
    const sheet = await screen.findByRole("dialog", { name: "Iced Vanilla Latte" });
    await user.click(within(sheet).getByRole("radio", { name: /^Large/ }));
    await user.click(within(sheet).getByRole("button", { name: "Add to cart · $5.80" }));
    expect(await screen.findByRole("link", { name: "View cart, 1 item, $5.80" })).toBeInTheDocument();
    expect(cartItem.get().items).toMatchObject([{ itemId, sizeId: "large", choices: [], unitPrice: 580 }]);
  });

  it("offers the size first whose price the tile shows, also if another size is the default", async () => {
    const sizes = icedVanillaLatte.sizes.map((size) => ({ ...size, isDefault: size.sizeId === "large" }));
    server.use(mockGet("/item/sizes", { sizes }));
    const { user } = await renderRoute("/store/sunset/menu");
    expect(await screen.findByRole("link", { name: /^Iced Vanilla Latte/ })).toHaveTextContent("$5.25");
    await user.click(screen.getByRole("button", { name: "Add Iced Vanilla Latte" }));
    const sheet = await screen.findByRole("dialog", { name: "Iced Vanilla Latte" });
    expect(await within(sheet).findByRole("button", { name: "Add to cart · $5.25" })).toBeInTheDocument();
  });

  it("opens the item in the size if a required choice is sold out", async () => {
    const modifications = icedVanillaLatte.modifications.map((group) =>
      group.modificationId === "milk"
        ? { ...group, choices: group.choices.map((choice) => ({ ...choice, soldOut: true })) }
        : group,
    );
    server.use(mockGet("/item/modifications", { modifications }));
    const { user, router } = await renderRoute("/store/sunset/menu");
    await user.click(await screen.findByRole("button", { name: "Add Iced Vanilla Latte" }));
    const sheet = await screen.findByRole("dialog", { name: "Iced Vanilla Latte" });
    await user.click(within(sheet).getByRole("button", { name: /^Add to cart/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/store/sunset/item/${itemId}`));
    expect(router.state.location.search).toEqual({ size: "medium" });
    expect(cartItem.get().items).toEqual([]);
  });

  it("adds an item with one size at once", async () => {
    server.use(mockGet("/item/sizes", { sizes: icedVanillaLatte.sizes.slice(0, 1) }));
    const { user } = await renderRoute("/store/sunset/menu");
    await user.click(await screen.findByRole("button", { name: "Add Iced Vanilla Latte" }));
    expect(await screen.findByRole("link", { name: "View cart, 1 item, $5.25" })).toBeInTheDocument();
    expect(cartItem.get()).toMatchObject({
      storeId: "sunset",
      storeName: "Sunset & Maltman",
      taxRate: 95_000,
      items: [{ itemId, sizeId: "medium", choices: [] }],
    });
  });

  it("replaces the cart of another store only after a confirmation", async () => {
    const items = [{ ...other, quantity: 3 }];
    cartItem.set((cart) => ({ ...cart, storeId: "echo-park", storeName: "Echo Park Lake", items }));
    server.use(mockGet("/item/sizes", { sizes: icedVanillaLatte.sizes.slice(0, 1) }));
    const { user } = await renderRoute("/store/sunset/menu");
    await user.click(await screen.findByRole("button", { name: "Add Iced Vanilla Latte" }));
    const sheet = await screen.findByRole("dialog", { name: "Start a new cart?" });
    expect(sheet).toHaveTextContent("Your cart has 3 items from Echo Park Lake.");
    expect(cartItem.get().storeId).toBe("echo-park");
    await user.click(within(sheet).getByRole("button", { name: "Start a new cart" }));
    expect(cartItem.get()).toMatchObject({ storeId: "sunset", items: [{ itemId }] });
  });

  it("searches the menu and shows an empty state", async () => {
    const { user } = await renderRoute("/store/sunset/menu");
    await user.click(await screen.findByRole("button", { name: "Search this menu" }));
    await user.type(screen.getByLabelText("Search this menu"), "brew");
    await waitFor(() => expect(screen.queryByText("Iced Vanilla Latte")).not.toBeInTheDocument());
    await user.type(screen.getByLabelText("Search this menu"), "zzz");
    expect(await screen.findByRole("heading", { name: "No matches" })).toBeInTheDocument();
  });

  it("explains which orders are possible while the store is closed", async () => {
    server.use(mockGet("/store/info", echoPark));
    await renderRoute("/store/echo-park/menu");
    expect(await screen.findByText(/Closed right now/)).toBeInTheDocument();
  });

  it("offers to find another store when the store does not exist", async () => {
    const errors = ["We couldn't find that store."];
    server.use(mockGetError("/store/menu", { status: 404, reason: "STORE_UNKNOWN", errors }));
    await renderRoute("/store/nowhere/menu");
    expect(
      await screen.findByRole("heading", { level: 1, name: "We couldn't find that store." }),
    ).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Find a store" })).toHaveAttribute("href", "/explore");
  });

  it("shows that the page does not exist when the id of the store is malformed", async () => {
    const errors = ["`storeId` isn't a valid id."];
    server.use(mockGetError("/store/menu", { status: 400, reason: "ID_MALFORMED", errors }));
    await renderRoute("/store/nowhere/menu");
    expect(await screen.findByRole("heading", { level: 1, name: "Page not found" })).toBeInTheDocument();
    expect(screen.queryByText(/storeId/)).not.toBeInTheDocument();
  });

  it("offers to retry when the menu fails to load", async () => {
    server.use(mockGetError("/store/menu", { status: 400, errors: ["We can't load this menu right now."] }));
    await renderRoute("/store/sunset/menu");
    expect(await screen.findByText("We can't load this menu right now.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });
});

describe("the item", () => {
  it("updates the price with each choice and adds the item to the cart", async () => {
    const { user, router } = await renderRoute("/store/sunset/item/iced-vanilla-latte");
    await user.click(await screen.findByRole("radio", { name: /Oat/ }));
    await user.click(screen.getByRole("radio", { name: /Extra large/ }));
    expect(screen.getByRole("button", { name: "Add to cart · $7.35" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Add one: Quantity" }));
    await user.click(screen.getByRole("button", { name: "Add to cart · $14.70" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/store/sunset/menu"));
    expect(cartItem.get().items).toMatchObject([
      { quantity: 2, sizeId: "extra", unitPrice: 735, choices: [{ choiceId: "oat", name: "Oat milk" }] },
    ]);
  });

  it("keeps a customization while the menu is open, until the item is in the cart", async () => {
    const { user, router } = await renderRoute("/store/sunset/item/iced-vanilla-latte");
    await user.click(await screen.findByRole("radio", { name: /Oat/ }));
    for (let pumps = 0; pumps < 2; pumps += 1) {
      await user.click(screen.getByRole("button", { name: "Remove one: Vanilla" }));
    }
    await user.click(screen.getByRole("button", { name: "Add one: Quantity" }));
    expect(storeItemOptions.get()).toMatchObject({ quantity: 2, all: [{ choiceId: "oat", quantity: 1 }] });
    expect(removedOptions.get()).toMatchObject([{ choiceId: "vanilla", quantity: 0, name: "No vanilla" }]);
    await act(() => router.navigate({ to: "/store/$storeId/menu", params: { storeId: "sunset" } }));
    await screen.findByText("ready 8:34");
    const item = { storeId: "sunset", itemId: "iced-vanilla-latte" };
    await act(() => router.navigate({ to: "/store/$storeId/item/$itemId", params: item }));
    expect(await screen.findByRole("radio", { name: /Oat/ })).toBeChecked();
    await user.click(screen.getByRole("button", { name: /^Add to cart/ }));
    expect(cartItem.get().items).toMatchObject([
      {
        quantity: 2,
        choices: [
          { choiceId: "oat", quantity: 1 },
          { choiceId: "vanilla", quantity: 0 },
        ],
      },
    ]);
    expect([storeItemOptions.get().key, removedOptions.get()]).toEqual(["", []]);
  });

  it("announces the whole drink after the last change", async () => {
    const { user } = await renderRoute("/store/sunset/item/iced-vanilla-latte");
    await user.click(await screen.findByRole("button", { name: "Add one: Caramel" }));
    expect(
      await screen.findByText("Medium iced vanilla latte, 2 pumps vanilla, 1 pump caramel. $5.55"),
    ).toBeInTheDocument();
  });

  it("disables choices at the limit", async () => {
    const { user } = await renderRoute("/store/sunset/item/iced-vanilla-latte");
    await user.click(await screen.findByRole("button", { name: /Cinnamon/ }));
    await user.click(screen.getByRole("button", { name: /Sea salt/ }));
    expect(screen.getByRole("button", { name: /Caramel drizzle/ })).toHaveAttribute("aria-disabled", "true");
    expect(screen.getByRole("radio", { name: /Coconut/ })).toBeDisabled();
  });

  it("removes a choice that sells out while the item is open", async () => {
    const { user, queryClient } = await renderRoute("/store/sunset/item/iced-vanilla-latte");
    await user.click(await screen.findByRole("radio", { name: /Oat/ }));
    server.use(mockGet("/item/details", withSoldOut(["oat"])));
    await queryClient.invalidateQueries({ queryKey: menuKeys.items("sunset") });
    expect(await screen.findByText("Oat milk just sold out. Please choose again.")).toBeInTheDocument();
    expect(screen.getByRole("radio", { name: /Oat/ })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Choose milk" })).toBeEnabled();
    await user.click(screen.getByRole("radio", { name: /Whole/ }));
    expect(screen.getByRole("button", { name: "Add to cart · $5.25" })).toBeInTheDocument();
    expect(screen.queryByText(/just sold out/)).not.toBeInTheDocument();
  });

  it("requires another size if the selected one sells out, and disables a sold-out item", async () => {
    const { user, queryClient } = await renderRoute("/store/sunset/item/iced-vanilla-latte");
    await user.click(await screen.findByRole("radio", { name: /^Large/ }));
    server.use(mockGet("/item/details", withSoldOut(["large"])));
    await queryClient.invalidateQueries({ queryKey: menuKeys.items("sunset") });
    expect(await screen.findByText("Large just sold out. Please choose again.")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Choose another size" }));
    expect(cartItem.get().items).toEqual([]);
    server.use(mockGet("/item/details", { ...icedVanillaLatte, soldOut: true }));
    await queryClient.invalidateQueries({ queryKey: menuKeys.items("sunset") });
    expect(await screen.findByRole("button", { name: "Sold out today" })).toBeDisabled();
  });

  it("edits a cart line", async () => {
    cartItem.set((now) => ({
      ...now,
      storeId: "sunset",
      items: [{ ...other, itemId, lineId: "line-1", quantity: 3 }],
    }));
    const { user } = await renderRoute("/store/sunset/item/iced-vanilla-latte?line=line-1");
    await user.click(await screen.findByRole("radio", { name: /Large/ }));
    await user.click(screen.getByRole("button", { name: "Update cart · $17.40" }));
    expect(cartItem.get().items).toMatchObject([{ lineId: "line-1", sizeId: "large", quantity: 3 }]);
  });
});

/** The item with these sizes and choices sold out. */
function withSoldOut(ids: readonly string[]) {
  return {
    ...icedVanillaLatte,
    sizes: icedVanillaLatte.sizes.map((size) => ({ ...size, soldOut: ids.includes(size.sizeId) })),
    modifications: icedVanillaLatte.modifications.map((group) => ({
      ...group,
      choices: group.choices.map((choice) => ({
        ...choice,
        soldOut: choice.soldOut || ids.includes(choice.choiceId),
      })),
    })),
  };
}

const other = {
  lineId: "other",
  itemId: "mocha",
  sizeId: "medium",
  sizeIndex: 0,
  quantity: 1,
  choices: [],
  note: "",
  name: "Mocha",
  sizeName: "Medium",
  unitPrice: 500,
  art: { kind: "drink", base: "mocha" },
};
