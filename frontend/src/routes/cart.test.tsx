import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { echoPark } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { cart, quote } from "@/testing/cart";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const savedCart = {
  cartId: cart.cartId,
  storeId: cart.storeId,
  items: [],
  pickup: "counter" as const,
  schedule: null,
  promo: { code: "", type: "fixed", value: 0 },
  tipAmount: 0,
};

const change = {
  lineId: "line-1",
  itemName: "Iced latte",
  reason: "PRICE_CHANGED",
  message: "Iced latte is now $9.50 instead of $9.00.",
  before: cents(900),
  after: cents(950),
};

it("lists prices that changed since the cart was saved, of items that are still in it", async () => {
  cartItem.set(cart);
  const other = { ...change, lineId: "removed", message: "Croissant is now $5.00 instead of $4.50." };
  server.use(
    mockPost("/order/pricing", () => quote),
    mockGet("/cart/data", {
      cart: savedCart,
      savedAt: "2026-11-20T16:00:00Z",
      quote,
      changes: [change, other],
    }),
  );
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByText(change.message)).toBeInTheDocument();
  expect(screen.queryByText(other.message)).toBeNull();
});

it("moves the focus to the next item when one is removed, and to the heading after the last one", async () => {
  const [line] = cart.items;
  if (!line) throw new Error("the cart is empty");
  cartItem.set({ ...cart, items: [line, { ...line, lineId: "line-2", name: "Mocha" }] });
  const { user } = await renderRoute("/cart");
  const quantity = (name: string) => screen.findByRole("combobox", { name: `Quantity: ${name}` });
  (await quantity("Mocha")).focus();
  await user.selectOptions(await quantity("Mocha"), "Remove");
  await waitFor(async () => expect(await quantity("Iced latte")).toHaveFocus());
  await user.selectOptions(await quantity("Iced latte"), "Remove");
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus());
});

it("offers to restore the saved cart while it is empty", async () => {
  const item = { lineId: "1", itemId: "latte", sizeId: "large", quantity: 2, choices: [], note: "" };
  server.use(
    mockGet("/user/cart", { cart: { ...savedCart, items: [item] }, savedAt: "2026-11-20T16:00:00Z" }),
    mockGet("/user/orders", { orders: [] }),
  );
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByText("You left 2 items in your cart.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Restore cart" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Find a store" })).toBeInTheDocument();
});

it("is empty while the saved cart cannot be loaded", async () => {
  server.use(mockGetError("/user/cart", { status: 503 }), mockGet("/user/orders", { orders: [] }));
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByRole("heading", { name: "Your cart is empty" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Restore cart" })).toBeNull();
});

it("requests no saved cart while signed out", async () => {
  cartItem.set(cart);
  await renderRoute("/cart");
  expect(await screen.findByRole("link", { name: "Sign in to check out" })).toBeInTheDocument();
});

it("shows how many items to remove from an order that is too large", async () => {
  const [line] = cart.items;
  if (!line) throw new Error("the cart is empty");
  const lines = ["line-1", "line-2", "line-3"].map((lineId) => ({ ...line, lineId, quantity: 20 }));
  cartItem.set({ ...cart, items: lines });
  server.use(
    mockPostError("/order/pricing", {
      status: 422,
      reason: "ORDER_TOO_LARGE",
      errors: ["One order can have up to 50 items. Please remove 10."],
    }),
    mockGetError("/cart/data", { status: 404 }),
  );
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByText("One order can have up to 50 items. Please remove 10.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

it("leads back to the menu while every item is sold out, and to checkout once one can be ordered", async () => {
  const [line] = cart.items;
  if (!line) throw new Error("the cart is empty");
  const problem = {
    lineId: line.lineId,
    reason: "ITEM_SOLD_OUT",
    message: "Iced latte is sold out today.",
  };
  cartItem.set(cart);
  server.use(
    mockPost("/order/pricing", (body) => {
      const { cart: priced } = body as { cart: { items: unknown[] } };
      const isSoldOut = priced.items.length === 1;
      return isSoldOut
        ? { ...quote, lines: [], problems: [problem], total: cents(0), eta: null }
        : { ...quote, problems: [problem] };
    }),
    mockGetError("/cart/data", { status: 404 }),
  );
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByRole("link", { name: "Choose something else" })).toHaveAttribute(
    "href",
    `/store/${cart.storeId}/menu`,
  );
  expect(screen.getByText(problem.message)).toBeInTheDocument();
  expect(screen.getByText(/^None of these can be ordered/)).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /^Check out/ })).toBeNull();
  expect(screen.queryByText("Total")).toBeNull();

  act(() => cartItem.set({ ...cart, items: [line, { ...line, lineId: "line-2", itemId: "croissant" }] }));
  expect(await screen.findByRole("link", { name: /^Check out · \$12\.40/ })).toBeInTheDocument();
});

it("explains why the store accepts no order now, and links to a later time or another store", async () => {
  cartItem.set(cart);
  const problem = { lineId: "", reason: "STORE_CLOSED", message: "The store is closed." };
  server.use(
    mockPost("/order/pricing", () => ({ ...quote, store: echoPark, problems: [problem] })),
    mockGetError("/cart/data", { status: 404 }),
  );
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByText("Closed right now")).toBeInTheDocument();
  expect(screen.getByText(/Opens tomorrow at 6:00 AM\./)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Choose a pickup time" })).toHaveAttribute("href", "/checkout");
  expect(screen.getByRole("link", { name: "Find another store" })).toHaveAttribute("href", "/explore");
  expect(screen.queryByRole("link", { name: /^Check out/ })).toBeNull();
});

it("leads to another store if the store never opens", async () => {
  cartItem.set(cart);
  const message = "This store isn't taking orders. Please pick another store.";
  server.use(
    mockPostError("/order/pricing", { status: 409, reason: "STORE_CLOSED", errors: [message] }),
    mockGetError("/cart/data", { status: 404 }),
  );
  await renderRoute("/cart", { session: maya });
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(screen.getAllByRole("link", { name: "Find another store" })).toHaveLength(2);
  expect(screen.queryByRole("link", { name: /^Check out/ })).toBeNull();
});
