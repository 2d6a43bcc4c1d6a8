import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { echoPark, sunset, sunsetStatus } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
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
  slots: [],
  timeZone: sunset.timeZone,
};

beforeEach(() => {
  server.use(
    mockGet("/store/card", sunset),
    mockGet("/store/menu", menu),
    mockGet("/store/pickup-options", pickup),
    mockGet("/store/status", sunsetStatus),
    mockGet("/item/details", icedVanillaLatte),
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

  it("adds an item with its defaults", async () => {
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

  it("asks before it replaces the cart of another store", async () => {
    cartItem.set((cart) => ({ ...cart, storeId: "echo-park", storeName: "Echo Park Lake", items: [other] }));
    const { user } = await renderRoute("/store/sunset/menu");
    await user.click(await screen.findByRole("button", { name: "Add Iced Vanilla Latte" }));
    const sheet = await screen.findByRole("dialog", { name: "Start a new cart?" });
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

  it("explains what is possible while the store is closed", async () => {
    server.use(mockGet("/store/card", echoPark));
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
