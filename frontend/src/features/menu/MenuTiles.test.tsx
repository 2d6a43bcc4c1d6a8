import { act, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { sunset, sunsetStatus } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { icedVanillaLatte } from "./testing/items";

const { description, kind, art } = icedVanillaLatte;
const shared = { description, kind, art, allergens: [], detail: "", soldOut: false, priceFrom: cents(525) };

afterEach(() => vi.unstubAllGlobals());

function mockMenu(count: number): void {
  const category = { categoryId: "iced", name: "Iced coffee", itemCount: count };
  const items = Array.from({ length: count }, (_, i) => ({ ...shared, itemId: `i${i}`, name: `Latte ${i}` }));
  server.use(
    mockGet("/store/info", sunset),
    mockGet("/store/menu/categories", { categories: [category] }),
    mockGet("/store/menu", { sections: [{ category, items }] }),
    mockGet("/store/status", sunsetStatus),
    mockGetError("/store/pickup-options", { status: 404 }),
    mockGet("/item/details", icedVanillaLatte),
  );
}

it("renders the first tiles at once, and small groups of the others while the browser is idle", async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal("requestIdleCallback", (task: () => void) => idle.push(task));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  mockMenu(17);
  await renderRoute("/store/sunset/menu");
  await screen.findByRole("link", { name: /^Latte 0/ });
  const countTiles = () => screen.getAllByRole("link", { name: /^Latte/ }).length;
  const counts = [countTiles()];
  while (counts.at(-1) !== 17) {
    await waitFor(() => expect(idle).not.toHaveLength(0));
    await act(async () => idle.shift()?.());
    // Other parts of the menu wait for the browser to be idle, too.
    if (countTiles() !== counts.at(-1)) counts.push(countTiles());
  }
  expect(counts).toEqual([4, 10, 16, 17]);
});

it("opens an item within the app, and in a new tab of the browser with a modified click", async () => {
  mockMenu(2);
  const { user, router } = await renderRoute("/store/sunset/menu");
  const link = await screen.findByRole("link", { name: /^Latte 1/ });
  expect(link).toHaveAttribute("href", "/store/sunset/item/i1");
  const click = createEvent.click(link, { ctrlKey: true });
  // jsdom would report that it cannot load the page.
  link.parentElement?.addEventListener("click", (event) => event.preventDefault(), { once: true });
  fireEvent(link, click);
  expect(router.state.location.pathname).toBe("/store/sunset/menu");
  await user.click(link);
  await waitFor(() => expect(router.state.location.pathname).toBe("/store/sunset/item/i1"));
});
