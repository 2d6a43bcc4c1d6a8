import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { cart } from "@/testing/cart";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const { description, art } = icedVanillaLatte;
const suggestion = (itemId: string, name: string) => ({
  itemId,
  name,
  description,
  kind: "food" as const,
  art,
  allergens: [],
  detail: "",
  soldOut: false,
  priceFrom: cents(325),
});

it("suggests items for the cart, and no longer suggests an item that was added", async () => {
  cartItem.set(cart);
  const requested: string[] = [];
  server.use(
    http.get("*/api/consumer/store/upsell-items", ({ request }) => {
      requested.push(new URL(request.url).searchParams.get("itemIds") ?? "");
      const items = [suggestion("danish", "Cheese Danish"), suggestion("bagel", "Bagel")];
      return HttpResponse.json({ success: true, data: { items }, errors: [] });
    }),
    mockGet("/item/sizes", { sizes: icedVanillaLatte.sizes.slice(0, 1) }),
    mockGet("/item/modifications", { modifications: [] }),
  );
  const { user } = await renderRoute("/cart");
  expect(await screen.findByRole("heading", { name: "Goes well with your order" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Add Cheese Danish" }));
  await waitFor(() => expect(cartItem.get().items.map(({ itemId }) => itemId)).toContain("danish"));
  await waitFor(() =>
    expect(screen.queryByRole("button", { name: "Add Cheese Danish" })).not.toBeInTheDocument(),
  );
  expect(screen.getByRole("button", { name: "Add Bagel" })).toBeInTheDocument();
  const [line] = cart.items;
  expect(requested[0]).toBe(line?.itemId);
  await waitFor(() => expect(requested.at(-1)?.split(",")).toContain("danish"));
});

it("shows the cart without suggestions if they fail to load", async () => {
  cartItem.set(cart);
  server.use(mockGetError("/store/upsell-items", { status: 503 }));
  await renderRoute("/cart");
  expect(await screen.findByRole("heading", { name: cart.storeName })).toBeInTheDocument();
  expect(screen.queryByRole("heading", { name: "Goes well with your order" })).not.toBeInTheDocument();
});
