import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { makeOrder } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

it("lists unavailable items before a past order is repeated", async () => {
  const order = makeOrder("Completed");
  const gone = {
    lineId: "line-1",
    itemName: "Iced latte",
    reason: "ITEM_SOLD_OUT",
    message: "Iced latte is sold out.",
    before: cents(950),
    after: null,
  };
  const cart = {
    cartId: "",
    storeId: order.storeId,
    items: [],
    pickup: "counter" as const,
    schedule: null,
    promo: { code: "", type: "fixed", value: 0 },
    tipAmount: 0,
  };
  server.use(
    mockGet("/stores/list", { stores: [] }),
    mockGet("/user/orders", { orders: [order] }),
    mockGet("/user/cart", { cart: null, savedAt: null }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    mockGetError("/user/points", { status: 404 }),
    mockGet("/order/repeat", { cart, problems: [], priceChanged: false, changes: [gone] }),
  );
  const { user } = await renderRoute("/", { session: maya });
  await user.click(await screen.findByRole("button", { name: /^Order again · \$/ }));
  const dialog = await screen.findByRole("dialog", { name: "Nothing left to order" });
  expect(dialog).toHaveTextContent("Iced latte is sold out.");
  expect(cartItem.get().items).toEqual([]);
});
