import { expect, type Locator, type Page, test } from "@playwright/test";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";

/** More than the elements of any screen. */
const MAX_TABS = 400;

type Key = "Tab" | "Shift+Tab";

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator, key: Key = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} cannot be reached with Tab`);
}

async function press(page: Page, target: Locator, key?: Key): Promise<void> {
  await tabTo(page, target, key);
  await page.keyboard.press("Enter");
}

test("an order is placed with the keyboard only", async ({ page }) => {
  test.slow();
  await signIn(page, { digits: DEMO_CONSUMER });
  await page.goto("/explore");
  await tabTo(page, page.getByLabel("Search stores"));
  await page.keyboard.type(IMPORTED);
  await press(page, page.getByRole("link", { name: IMPORTED }).first());
  await expect(page.getByRole("heading", { level: 1 })).toContainText(IMPORTED);

  // The focus is on the heading of the menu, which stands after the button.
  await press(page, page.getByRole("button", { name: "Search this menu" }), "Shift+Tab");
  await tabTo(page, page.getByRole("searchbox"));
  await page.keyboard.type("latte");
  await press(page, page.getByRole("link", { name: /latte/i }).first());
  const sizes = page.getByRole("radiogroup", { name: "Size" });
  await tabTo(page, sizes.getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowRight");
  await press(page, page.getByRole("button", { name: /^Add to cart · \$/ }));

  await press(page, page.getByRole("link", { name: /^View cart/ }));
  await press(page, page.getByRole("link", { name: /^Check out · \$.+ready/ }));
  await press(page, page.getByRole("button", { name: /^Place order · \$.+ · ready/ }));
  await expect(page).toHaveURL(/\/orders\//);
});

test("the navigation does not cover the store that has the focus", async ({ page }) => {
  await page.goto("/explore");
  const stores = page.getByRole("main").getByRole("link", { name: /min wait|Closed/ });
  await expect(stores.nth(6)).toBeVisible();
  for (let index = 0; index < 7; index += 1) {
    const store = stores.nth(index);
    await tabTo(page, store);
    const [box, navigation] = await Promise.all([
      store.boundingBox(),
      page.getByRole("navigation", { name: "Main" }).boundingBox(),
    ]);
    if (!box || !navigation) throw new Error("the store or the navigation has no size");
    expect(box.y + box.height).toBeLessThanOrEqual(navigation.y);
  }
});
