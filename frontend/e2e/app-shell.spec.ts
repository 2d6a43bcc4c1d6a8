import { expect, type Page, test } from "@playwright/test";
import { offerApp } from "./app-store";
import { newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { MAX_LAYOUT_SHIFT, observeLayoutShift, readLayoutShift } from "./layout-shift";
import { openStore } from "./ordering";

const BANNER = "Enjoy $3 off when you order through the app.";

/** Counts the bytes that the page transfers, as they are on the network. */
async function measureTransfer(page: Page): Promise<() => { script: number; all: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const types = new Map<string, string>();
  const sums = { script: 0, all: 0 };
  session.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sums.all += encodedDataLength;
    if (types.get(requestId) === "Script") sums.script += encodedDataLength;
  });
  return () => sums;
}

test.describe("a first visit", () => {
  test.use({ serviceWorkers: "block" });

  test("to home loads little, logs no errors and shifts no layout", async ({ page }) => {
    const failures: string[] = [];
    page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
    page.on("pageerror", (error) => failures.push(error.message));
    await observeLayoutShift(page);
    const transferred = await measureTransfer(page);
    await page.goto("/", { waitUntil: "networkidle" });
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
    await expect(page.locator("#first-paint")).toHaveCount(0);
    expect(failures).toEqual([]);
    // The budget of the first route, and the code that loads after the first paint.
    expect(transferred().all).toBeLessThan(250_000);
    expect(await readLayoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
  });
});

test.describe("home of a consumer", () => {
  // Its requests could not be held.
  test.use({ serviceWorkers: "block" });

  test("parts that arrive one after another do not push the others down", async ({ page }) => {
    await signIn(page, { digits: newNumber(), firstName: "Rosa" });
    await openStore(page, IMPORTED);
    await page.locator("[data-category]").first().getByRole("link").first().click();
    await page.getByRole("button", { name: "Usual item" }).click();
    await expect(page.getByRole("button", { name: "Usual item", pressed: true })).toBeVisible();

    const ordersArrived = Promise.withResolvers<void>();
    page.on("response", (response) => {
      if (response.url().includes("/user/orders?"))
        void response.finished().then(() => ordersArrived.resolve());
    });
    await page.route("**/store/usual-items*", async (route) => {
      await ordersArrived.promise;
      await route.continue();
    });
    await observeLayoutShift(page);
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Your usuals" })).toBeVisible();
    await expect(page.locator(".skeleton")).toHaveCount(0);
    expect(await readLayoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
  });
});

test.describe("a menu", () => {
  // Its requests could not be held.
  test.use({ serviceWorkers: "block" });

  test("usual items that arrive after the menu do not push it down", async ({ page }) => {
    await signIn(page, { digits: newNumber(), firstName: "Rosa" });
    await openStore(page, IMPORTED);
    const menu = page.url();
    const sections = page.locator("[data-category]");
    await sections.first().getByRole("link").first().click();
    await page.getByRole("button", { name: "Usual item" }).click();
    await expect(page.getByRole("button", { name: "Usual item", pressed: true })).toBeVisible();

    const menuArrived = Promise.withResolvers<void>();
    page.on("response", (response) => {
      if (response.url().includes("/store/menu?")) void response.finished().then(() => menuArrived.resolve());
    });
    await page.route("**/store/usual-items?*", async (route) => {
      await menuArrived.promise;
      await route.continue();
    });
    const usualItems = page.waitForResponse("**/store/usual-items?*");
    await observeLayoutShift(page);
    await page.goto(menu);
    await (await usualItems).finished();
    await expect(sections.first()).toBeVisible();
    await expect(page.locator("#first-paint")).toHaveCount(0);
    await expect(page.locator(".skeleton")).toHaveCount(0);
    expect(await readLayoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
  });
});

test("the page is painted before its script runs", async ({ page }) => {
  await page.route("**/assets/*.js", () => undefined);
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.locator("#first-paint")).toContainText("Skip the line, not the coffee");
  await page.goto("/explore", { waitUntil: "commit" });
  await expect(page.locator("#first-paint")).toContainText("Explore");
});

test("a menu is painted with the name of its store before its script runs", async ({ page, request }) => {
  const response = await request.get("/api/consumer/stores/list?take=1");
  const [store] = (await response.json()).data.stores;
  await page.route("**/assets/*.js", () => undefined);
  // Without the name if the gateway cannot read it at once.
  await expect(async () => {
    await page.goto(`/store/${store.storeId}/menu`, { waitUntil: "commit" });
    await expect(page.locator("#first-paint .t-display")).toHaveText(store.name, { timeout: 500 });
  }).toPass();
});

test("a menu fills its sections and drawings while it is idle", async ({ page, request }) => {
  const response = await request.get("/api/consumer/stores/list?take=1");
  const [store] = (await response.json()).data.stores;
  const menu = await request.get(`/api/consumer/store/menu?storeId=${store.storeId}`);
  const { sections }: { sections: { items: unknown[] }[] } = (await menu.json()).data;
  await page.goto(`/store/${store.storeId}/menu`);
  await expect(page.getByRole("heading", { level: 1, name: store.name })).toBeVisible();
  await expect(page.locator("#first-paint")).toHaveCount(0);
  const tiles = page.locator("[data-category] li");
  await expect(tiles.getByRole("link")).toHaveCount(sections.flatMap(({ items }) => items).length);
  await expect(tiles.first().locator("svg").first()).toBeVisible();
  // A drawing below the fold appears when it is scrolled to.
  const last = tiles.last();
  await last.scrollIntoViewIfNeeded();
  await expect(last.locator(".menu-tile-art svg")).toBeVisible();
});

test("the start of the app shows a message while its code loads slowly", async ({ page }) => {
  let respond = () => {};
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route(/assets\/(getting-started|_?sign-in)[^/]*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/sign-in/getting-started", { waitUntil: "commit" });
  await expect(page.getByText("Personalizing your coffee ordering experience.....")).toBeVisible();
  respond();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
});

test("the install banner shows once, on the first route that may show it, and covers no button", async ({
  browser,
}) => {
  const page = await browser.newPage({ storageState: { cookies: [], origins: [] } });
  await offerApp(page);
  await page.goto("/");
  const signIn = page.getByRole("link", { name: "Sign in" });
  await expect(signIn).toBeVisible();
  await expect(page.getByText(BANNER)).toHaveCount(0);
  await signIn.click();
  await expect(page.getByText(BANNER)).toBeVisible();
  await page.getByRole("button", { name: "Text me a code" }).click({ trial: true });
  await page.getByRole("link", { name: "Browse stores first" }).click({ trial: true });
  await expect(page.getByRole("link", { name: "Install" })).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.reload();
  await expect(page.getByLabel("Mobile number")).toBeVisible();
  await expect(page.getByText(BANNER)).toHaveCount(0);
  await page.close();
});

test("a page is shared with its own title, also after navigation", async ({ page }) => {
  const content = (key: string) => page.locator(`meta[property="${key}"]`);
  await page.goto("/explore");
  await expect(page).toHaveTitle("Stores · Order Ahead");
  await expect(content("og:title")).toHaveAttribute("content", "Stores · Order Ahead");
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveTitle("Order Ahead");
  await expect(content("og:title")).toHaveAttribute("content", "Order Ahead");
});

test("a store and its items are shared with their own title", async ({ page, request }) => {
  const response = await request.get("/api/consumer/stores/list?take=1");
  const [store] = (await response.json()).data.stores;
  const ofStore = `${store.name} · ${store.companyName}`;
  const title = page.locator('meta[property="og:title"]');
  await page.goto(`/store/${store.storeId}/menu`);
  await expect(page.locator("#first-paint")).toHaveCount(0);
  const link = page.locator("[data-category]").first().getByRole("link").first();
  await link.click();
  await expect(page).toHaveURL(/\/item\//);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).not.toHaveText(store.name);
  const item = await heading.textContent();
  await expect(page).toHaveTitle(`${item} · ${store.name}`);
  await expect(title).toHaveAttribute("content", `${item} · ${store.name}`);
  await page.goBack();
  await expect(page).toHaveTitle(ofStore);
  await expect(title).toHaveAttribute("content", ofStore);
});

test("home shows a signed-out visitor popular drinks, which lead to their items", async ({ page }) => {
  await page.goto("/");
  const section = page.getByRole("region", { name: /^(Popular right now|On the menu)$/ });
  await expect(section.locator("svg").first()).toBeVisible();
  await section.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/store\/[^/]+\/item\//);
});

test("screens fade into each other, but not the first one", async ({ page }) => {
  await page.addInitScript(() => {
    window.transitions = 0;
    document.addEventListener("DOMContentLoaded", () => {
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (options) => {
        window.transitions = (window.transitions ?? 0) + 1;
        return start(options);
      };
    });
  });
  await page.goto("/explore");
  await expect(page.getByRole("heading", { level: 1, name: "Explore" })).toBeVisible();
  expect(await page.evaluate(() => window.transitions)).toBe(0);
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveTitle("Order Ahead");
  await expect.poll(() => page.evaluate(() => window.transitions)).toBe(1);
});

declare global {
  interface Window {
    transitions?: number;
  }
}
