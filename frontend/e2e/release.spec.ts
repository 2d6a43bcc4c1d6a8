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

/** Counts the page loads, and responds 404 to requests for the first script while the function returns true. */
async function withoutEntry(page: Page, isMissing: (loads: number) => boolean): Promise<() => number> {
  const loads = countLoads(page);
  await page.route(/\/assets\/index-[\w-]{7,8}\.js$/, (route) =>
    isMissing(loads()) ? route.fulfill({ status: 404 }) : route.continue(),
  );
  return loads;
}

test("a page whose first script is missing is loaded again, and starts", async ({ page }) => {
  const loads = await withoutEntry(page, (count) => count === 1);
  await page.goto("/");
  await expect(page.locator("#first-paint")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(loads()).toBe(2);
});

test("a page whose first script stays missing is loaded again once, and offers another try", async ({
  page,
}) => {
  let isMissing = true;
  const loads = await withoutEntry(page, () => isMissing);
  await page.goto("/explore");
  await expect(page.getByRole("alert")).toContainText("The app didn't load");
  const retry = page.getByRole("button", { name: "Try again" });
  expect(loads()).toBe(2);
  await retry.click();
  await expect.poll(loads).toBe(3);
  await expect(retry).toBeVisible();
  expect(loads()).toBe(3);
  isMissing = false;
  await retry.click();
  await expect(page.locator("#first-paint")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "Explore" })).toBeVisible();
});

test("a page that lost the network before its first script arrived stays, and offers another try", async ({
  page,
}) => {
  let isMissing = true;
  const loads = await withoutEntry(page, () => isMissing);
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.goto("/account");
  await expect(page.getByText("Check your connection, then try again.")).toBeVisible();
  expect(loads()).toBe(1);
  isMissing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
});
