import { expect, type Page, test } from "@playwright/test";
import { IMPORTED } from "./imported-stores";
import { addLargeOatLatte, openStore } from "./ordering";

// The service worker would serve the missing chunk from its cache.
test.use({ serviceWorkers: "block" });

interface Release {
  /** Whether the server lacks the chunk of the cart. */
  isChunkMissing: boolean;
}

/**
 * Simulates a release while the page is open: the chunk of the cart is missing, and the server has another build. The
 * server has it once the consumer has gone on to the cart: a check of the build after a previous route change would
 * reload the menu. Called before the menu shows the link to the cart, because the pointer may be there already, and the
 * page would preload the chunk.
 */
async function simulateRelease(page: Page, buildId: string): Promise<Release> {
  const release = { isChunkMissing: true };
  // Not cart-store-<hash>.js, which the menu needs.
  await page.route(/\/assets\/cart-[\w-]{7,8}\.js$/, (route) =>
    release.isChunkMissing ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.route("**/api/build", async (route) => {
    const isAtCart = new URL(page.url()).pathname === "/cart";
    await (isAtCart ? route.fulfill({ json: { success: true, data: { buildId } } }) : route.continue());
  });
  return release;
}

/** Counts the page loads that start from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1;
  });
  return () => loads;
}

test("an open page reloads once after a release and keeps the cart", async ({ page }) => {
  await openStore(page, IMPORTED);
  const release = await simulateRelease(page, "the-next-one");
  await addLargeOatLatte(page);
  const loads = countLoads(page);
  page.on("request", (request) => {
    if (request.isNavigationRequest()) release.isChunkMissing = false;
  });
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
  expect(loads()).toBe(1);
});

test("the page does not reload repeatedly if the chunk stays missing", async ({ page }) => {
  await openStore(page, IMPORTED);
  const release = await simulateRelease(page, "the-next-one");
  await addLargeOatLatte(page);
  const loads = countLoads(page);
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "didn't load" })).toBeVisible();
  expect(loads()).toBe(1);
  release.isChunkMissing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
});
