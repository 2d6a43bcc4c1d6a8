import { expect, type Page, test } from "@playwright/test";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { openStore } from "./ordering";

const OFFLINE = "You're offline. Showing your last update.";

/** Waits until the service worker controls the page and has cached the app. */
async function installApp(page: Page): Promise<void> {
  await page.goto("/");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 100));
  });
}

test("home, a menu, My Joe and the inbox open offline as they were last loaded", async ({
  page,
  context,
}) => {
  await signIn(page, { digits: DEMO_CONSUMER });
  await installApp(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: /^Good .+, Maya/ })).toBeVisible();
  await page.goto("/my-joe");
  const balance = page.getByText(/^\$\d+\.\d\d$/).first();
  await expect(balance).toBeVisible();
  const shown = await balance.textContent();
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible();
  await openStore(page, IMPORTED);
  const menu = page.url();

  await context.setOffline(true);
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
