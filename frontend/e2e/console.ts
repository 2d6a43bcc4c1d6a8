import { type BrowserContext, expect, type Page } from "@playwright/test";

/** A seeded store that never closes, has curbside pickup, and is skipped by the simulator. */
export const STORE = {
  name: "Hayes & Octavia",
  code: "SEED-02",
  pin: "246810",
  timeZone: "America/Los_Angeles",
};

export const TABLET = { width: 1180, height: 820 };

/** Opens the console in a browser of its own, as on the tablet of the store. */
export async function openConsole(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/store-console");
  await page.getByLabel("Store code").fill(STORE.code);
  await page.getByLabel("PIN").fill(STORE.pin);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: STORE.name })).toBeVisible();
  return page;
}

export const openTab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name }).click();

/** The number that is called out, from the consumer's order. */
export async function readNumber(page: Page): Promise<string> {
  const number = await page
    .getByText(/^[A-Z] ?\d{2,3}$|^\d{3}$/)
    .first()
    .textContent();
  return number ?? "";
}
