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
 * Simulates a release while the page is open: a chunk is missing, and the server has another build. The page knows of it
 * once it has requested the chunk: the check of the build after an earlier route change could otherwise reload the menu.
 */
async function simulateRelease(page: Page, buildId: string): Promise<Release> {
  const release = { isChunkMissing: true };
  let isReleased = false;
  // Not cart-store-<hash>.js, which the menu needs.
  await page.route(/\/assets\/cart-[\w-]{7,8}\.js$/, (route) => {
    isReleased = true;
    return release.isChunkMissing ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.route("**/api/build", (route) =>
    isReleased ? route.fulfill({ json: { success: true, data: { buildId } } }) : route.continue(),
  );
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
  await addLargeOatLatte(page);
  const loads = countLoads(page);
  const release = await simulateRelease(page, "the-next-one");
  page.on("request", (request) => {
    if (request.isNavigationRequest()) release.isChunkMissing = false;
  });
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
  expect(loads()).toBe(1);
});

test("the page does not reload repeatedly if the chunk stays missing", async ({ page }) => {
  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  const loads = countLoads(page);
  const release = await simulateRelease(page, "the-next-one");
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "didn't load" })).toBeVisible();
  expect(loads()).toBe(1);
  release.isChunkMissing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
});
