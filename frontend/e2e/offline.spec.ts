import { expect, type Page, test } from "@playwright/test";
import { STORE } from "./console";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { checkOutLatte, openStore, placeButton, signInWithCard } from "./ordering";

const OFFLINE = "You're offline. Showing your last update.";
const TROUBLE = "We're having trouble connecting. Showing your last update.";

/** Waits until the service worker controls the page and has cached the app. */
async function installApp(page: Page): Promise<void> {
  await page.goto("/");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 100));
  });
}

/** Waits until the service worker has cached a response of the call. */
const expectCached = (page: Page, call: string) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return lists.flat().map(({ url }) => new URL(url).pathname);
      }),
    )
    .toContain(`/api/consumer${call}`);

/**
 * Stops or restores the network. Not every version of Chromium reports this in `navigator.onLine`, so the pages that are opened from
 * then on get the state from their session storage.
 */
async function setOffline(page: Page, offline: boolean): Promise<void> {
  await page.context().setOffline(offline);
  await page.evaluate((value) => sessionStorage.setItem("test-offline", value), String(offline));
  await page.addInitScript(() => {
    const isOffline = () => sessionStorage.getItem("test-offline") === "true";
    Object.defineProperty(navigator, "onLine", { configurable: true, get: () => !isOffline() });
  });
}

test("home, a menu, My Joe and the inbox open offline as they were last loaded", async ({ page }) => {
  await signIn(page, { digits: DEMO_CONSUMER });
  await installApp(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: /^Good .+, Maya/ })).toBeVisible();
  await expectCached(page, "/user/profile");
  await page.goto("/my-joe");
  const balance = page.getByText(/^\$\d+\.\d\d$/).first();
  await expect(balance).toBeVisible();
  const shown = await balance.textContent();
  await expectCached(page, "/user/my-joe");
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible();
  await expectCached(page, "/inbox/list");
  await openStore(page, IMPORTED);
  await expectCached(page, "/store/menu");
  const menu = page.url();

  await setOffline(page, true);
  await page.goto(menu);
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(IMPORTED);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: /^Good .+, Maya/ })).toBeVisible();
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await page.goto("/my-joe");
  await expect(page.getByText(shown ?? "", { exact: true }).first()).toBeVisible();
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible();
});

test("home starts offline after a first visit", async ({ page }) => {
  await installApp(page);
  await expectCached(page, "/stores/list");
  await setOffline(page, true);
  await page.goto("/");
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator('main a[href^="/store/"]').first()).toBeVisible();
});

/** Opens My Joe with the app installed. Returns its balance, which is cached then. */
async function openMyJoe(page: Page): Promise<string> {
  await signIn(page, { digits: DEMO_CONSUMER });
  await installApp(page);
  await page.goto("/my-joe");
  const balance = page.getByText(/^\$\d+\.\d\d$/).first();
  await expect(balance).toBeVisible();
  for (const call of ["/user/my-joe", "/user/transaction-history"]) await expectCached(page, call);
  return (await balance.textContent()) ?? "";
}

test("a notice says that the network fails, though the device reports one", async ({ page }) => {
  const balance = await openMyJoe(page);
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "onLine", { configurable: true, get: () => true }),
  );
  await page.context().setOffline(true);
  await page.goto("/my-joe");
  await expect(page.getByText(TROUBLE)).toBeVisible();
  await expect(page.getByText(balance, { exact: true }).first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(TROUBLE)).toBeHidden({ timeout: 60_000 });
});

test("a notice says that a slow response is replaced by the last one", async ({ page }) => {
  const balance = await openMyJoe(page);
  // Also the requests of the service worker.
  await page.context().route("**/user/my-joe", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await route.continue();
  });
  await page.reload();
  await expect(page.getByText(TROUBLE)).toBeVisible();
  await expect(page.getByText(balance, { exact: true }).first()).toBeVisible();
  await page.context().unrouteAll({ behavior: "ignoreErrors" });
  await expect(page.getByText(TROUBLE)).toBeHidden({ timeout: 60_000 });
});

test("a picture or the API documentation that was opened does not replace the app", async ({ page }) => {
  await installApp(page);
  await expectCached(page, "/stores/list");
  for (const path of ["/share/store.jpg", "/docs"]) {
    await page.goto(path);
    await setOffline(page, true);
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator('main a[href^="/store/"]').first()).toBeVisible();
    await setOffline(page, false);
  }
});

test("a running order survives offline, on home and on its own screen", async ({ page }) => {
  test.slow();
  await signInWithCard(page, "Otto");
  await installApp(page);
  // Its orders are made by its staff only.
  await checkOutLatte(page, STORE.name);
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\/ord_/);
  const order = page.url();
  await page.reload();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/^Ready /);
  const promised = (await heading.textContent()) ?? "";
  await page.goto("/");
  const card = page.getByRole("region", { name: /^Your order/ }).first();
  await expect(card).toContainText(STORE.name);

  await setOffline(page, true);
  await page.goto(order);
  await expect(heading).toHaveText(promised);
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await page.goto("/");
  await expect(card).toContainText(STORE.name);

  await setOffline(page, false);
  await page.goto(order);
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Canceled" })).toBeVisible();
});
