import { expect, type Page, test } from "@playwright/test";
import { IMPORTED } from "./imported-stores";
import { addLargeOatLatte, openStore } from "./ordering";

// The worker would answer with what it kept: what is tried here is a page that has nothing kept.
test.use({ serviceWorkers: "block" });

/** What a page meets that was open while another build went live: its code is gone, and the server says why. */
async function release(page: Page, buildId: string): Promise<() => Promise<void>> {
  await page.route("**/assets/cart-*.js", (route) => route.fulfill({ status: 404 }));
  await page.route("**/api/build", (route) => route.fulfill({ json: { success: true, data: { buildId } } }));
  return () => page.unroute("**/assets/cart-*.js");
}

/** How often the page was loaded since. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  return () => loads;
}

test("a page that was open during a release loads anew once, and its cart is still there", async ({
  page,
}) => {
  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  const loads = countLoads(page);
  const live = await release(page, "the-next-one");
  page.once("load", () => live());
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
  expect(loads()).toBe(1);
});

test("it does not load anew for ever where the code stays away", async ({ page }) => {
  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  const loads = countLoads(page);
  const live = await release(page, "the-next-one");
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "didn't load" })).toBeVisible();
  expect(loads()).toBe(1);
  await live();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
});
