import { expect, type Page, type Route, test } from "@playwright/test";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { readLayoutProblems } from "./layout-problems";
import { addLargeOatLatte, openStore } from "./ordering";

test.use({ serviceWorkers: "block" });

/** Several words, one of which is longer than a line of the narrowest phone. */
const LONG = "Super Target Pearland Northwest & Weihnachtsbäckereihaus";
const NAMES =
  /^(name|itemName|storeName|companyName|displayName|sizeName|title|street|city|firstName|lastName|email)$/;

function lengthen(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => lengthen(item));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lengthen(item, name)]));
  }
  return typeof value === "string" && NAMES.test(key) ? LONG : value;
}

async function replaceNames(route: Route): Promise<void> {
  if (route.request().method() !== "GET" || /events/.test(route.request().url())) return route.continue();
  const response = await route.fetch();
  if (!/json/.test(response.headers()["content-type"] ?? "")) return route.fulfill({ response });
  return route.fulfill({ response, json: lengthen(await response.json()) });
}

async function check(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(".skeleton, [aria-busy=true]")).toHaveCount(0);
  for (const width of [320, 390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    expect.soft(await readLayoutProblems(page), `${address} at ${width} px`).toEqual([]);
  }
}

test("long names fit every screen that shows names", async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, IMPORTED);
  const menu = new URL(page.url()).pathname;
  await addLargeOatLatte(page);
  const [item] = await page.evaluate(async (storeId) => {
    const response = await fetch(`/api/consumer/store/menu?storeId=${storeId}`);
    const { data } = await response.json();
    return data.sections.flatMap(({ items }: { items: { itemId: string }[] }) => items);
  }, menu.split("/")[2]);
  await page.route("**/api/consumer/**", replaceNames);
  for (const address of [
    ...["/", "/explore", "/explore/map", menu, menu.replace("menu", `item/${item.itemId}`)],
    ...["/cart", "/checkout", "/orders", "/my-joe", "/wallet", "/wallet/activity", "/wallet/add-funds"],
    ...["/rewards", "/inbox", "/gift-cards", "/account", "/account/settings", "/account/devices"],
  ]) {
    await test.step(address, () => check(page, address));
  }
});
