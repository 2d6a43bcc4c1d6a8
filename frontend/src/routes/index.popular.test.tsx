import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { menuKeys } from "@/features/menu/queries";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { sunset } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

it("shows signed-out visitors what sells most at the nearest open store, below the stores", async () => {
  const { itemId, name, description, kind, art } = icedVanillaLatte;
  const latte = { itemId, name, description, kind, art, allergens: [], detail: "", priceFrom: cents(525) };
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/store/top-ordered", { items: [{ ...latte, soldOut: false }] }),
  );
  await renderRoute("/");
  const drink = await screen.findByRole("link", { name: "Iced Vanilla Latte $5.25" });
  expect(drink).toHaveAttribute("href", `/store/sunset/item/${itemId}`);
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "Stores",
    "Popular right now",
  ]);
});

it("shows signed-out visitors no drinks while those of the nearest store are unknown", async () => {
  server.use(mockGet("/stores/list", { stores: [sunset] }), mockGetError("/store/menu", { status: 404 }));
  const { queryClient } = await renderRoute("/");
  await screen.findByRole("link", { name: /Sunset & Maltman/ });
  await waitFor(() => expect(queryClient.getQueryState(menuKeys.menu("sunset"))?.status).toBe("error"));
  await waitFor(() => expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(1));
  expect(document.querySelector(".drink-carousel")).toBeNull();
});
