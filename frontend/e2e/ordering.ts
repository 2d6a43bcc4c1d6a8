import { expect, type Page } from "@playwright/test";
import { type Consumer, newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";

/** The simulator needs about a minute to complete an order. */
export const COMPLETION = { timeout: 90_000 };

/** Signs in a new consumer with a card. The wallet is open. */
export async function signInWithCard(page: Page, firstName: string): Promise<void> {
  await signIn(page, { digits: newNumber(), firstName });
  await page.goto("/wallet");
  await page.getByRole("link", { name: "Add a payment method" }).click();
  await page.getByRole("link", { name: /^Credit or debit card/ }).click();
  await fillCard(page, "4242424242424242");
  await expect(page).toHaveURL(/\/wallet/);
}

/** Signs in, and goes to checkout with a latte of an imported store. */
export async function checkOutAs(page: Page, consumer: Consumer): Promise<void> {
  await signIn(page, consumer);
  await checkOutLatte(page);
}

/** Goes to checkout with a latte. */
export async function checkOutLatte(page: Page, store = IMPORTED): Promise<void> {
  await openStore(page, store);
  await addLargeOatLatte(page);
  await goToCheckout(page);
}

/** Finds a store by its name and opens its menu. */
export async function openStore(page: Page, name: string): Promise<void> {
  await page.goto("/explore");
  await page.getByLabel("Search stores").fill(name);
  // Not the link to a cart of this store, which is below the screen.
  await page.getByRole("main").getByRole("link", { name }).first().click();
  await expect(page).toHaveURL(/\/store\/.+\/menu/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
}

/** Adds a large latte with oat milk to the cart. */
export async function addLargeOatLatte(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Search this menu" }).click();
  await page.getByRole("searchbox").fill("latte");
  await page.getByRole("link", { name: /latte/i }).first().click();
  await expect(page).toHaveURL(/\/item\//);
  const before = await addButton(page).textContent();
  await pick(page, "Size", /^Large/);
  await pick(page, "Milk", /^Oat/);
  await expect(addButton(page)).not.toHaveText(before ?? "");
  await addButton(page).click();
  await expect(page.getByRole("link", { name: /^View cart, 1 item/ })).toBeVisible();
}

/** Selects an option by its label, because the radio button itself is visually hidden. */
export async function pick(page: Page, group: string, choice: RegExp): Promise<void> {
  const radios = page.getByRole("radiogroup", { name: group });
  await radios.locator("label").filter({ hasText: choice }).click();
  await expect(radios.getByRole("radio", { name: choice })).toBeChecked();
}

const addButton = (page: Page) => page.getByRole("button", { name: /^Add to cart · \$/ });

/** Goes from the menu through the cart to checkout. */
export async function goToCheckout(page: Page): Promise<void> {
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expect(page.getByRole("heading", { name: "Your cart" })).toBeVisible();
  await page.getByRole("link", { name: /^Check out · \$.+ready/ }).click();
  await expect(page.getByRole("heading", { name: /^Ready / })).toBeVisible();
}

/** Adds a card in the provider's element, from the payment selector. */
export async function addCard(page: Page, number: string): Promise<void> {
  await page.getByRole("button", { name: /^Pay with/ }).click();
  await page.getByRole("link", { name: "Add a card" }).click();
  await page.getByRole("link", { name: /^Credit or debit card/ }).click();
  await fillCard(page, number);
}

/** Fills the provider's element and saves the card. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await expect(page).toHaveURL(/\/account\/add-credit-card\?userId=/);
  const element = page.frameLocator('iframe[title="Secure card payment input frame"]');
  await element.getByLabel("Card number").fill(number);
  await element.getByLabel("Expiration date").fill("12 / 34");
  await element.getByLabel("Security code").fill("123");
  await element.getByLabel("ZIP code").fill("94103");
  await page.getByRole("button", { name: "Save card" }).click();
}

/** Asserts that checkout has selected the card. */
export async function expectCardSelected(page: Page, last4: string): Promise<void> {
  await expect(page).toHaveURL(/\/checkout/);
  await expect(page.getByRole("button", { name: new RegExp(`^Pay with .*${last4}`) })).toBeVisible();
}

/** Returns the id of the store of the open screen. */
export const openStoreId = (page: Page): string => /\/store\/([^/]+)\//.exec(page.url())?.[1] ?? "";

/** Returns the id of the order of the open screen. */
export const openOrderId = (page: Page): string => /\/orders\/([^?/]+)/.exec(page.url())?.[1] ?? "";

export const placeButton = (page: Page) => page.getByRole("button", { name: /^Place order · \$.+ · ready/ });

/** The authentication of the bank in the provider's dialog. */
export const bankDialog = (page: Page) => page.frameLocator('iframe[title="Card authentication"]');
