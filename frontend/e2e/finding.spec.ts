import { expect, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { addLargeOatLatte, openStore } from "./ordering";

test("a search leads to the company, its cities and one of its stores", async ({ page }) => {
  await page.goto("/explore");
  await page.getByLabel("Search stores").fill("juniper");
  await page.getByLabel("Search stores").press("Enter");
  await expect(page).toHaveURL(/\/explore\/filtered\?q=juniper/);
  await page
    .getByRole("list", { name: "Companies" })
    .getByRole("link", { name: /Juniper Lane/ })
    .click();
  await expect(page).toHaveURL(/\/company\//);
  await expect(page.getByRole("heading", { level: 1, name: "Juniper Lane Coffee" })).toBeVisible();
  const stores = page.getByRole("region", { name: "Stores" });
  await expect(
    stores
      .getByRole("link")
      .filter({ hasText: /Open|Closed|Opens/ })
      .first(),
  ).toBeVisible();
  await expectAccessible(page);

  const city = page.getByRole("region", { name: "Cities" }).getByRole("link").first();
  const [, name, region] = (await city.textContent())?.match(/^(.+), ([A-Z]{2}) /) ?? [];
  await city.click();
  await expect(page).toHaveURL(/\/explore\/filtered\?q=/);
  await expect(page.getByLabel("Search stores")).toHaveValue(`${name} ${region} Juniper Lane Coffee`);
  await expect(page.getByRole("heading", { name: /^\d+ stores?$/ })).toBeVisible();
  await page.goBack();
  await stores
    .getByRole("link")
    .filter({ hasText: /Open|Closed|Opens/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/store\/.+\/menu/);
  await page.getByRole("link", { name: "Juniper Lane Coffee" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Juniper Lane Coffee" })).toBeVisible();
});

test("an item is added from the menu in the chosen size", async ({ page }) => {
  await openStore(page, IMPORTED);
  const add = page.getByRole("button", { name: /^Add .*latte/i }).first();
  await add.click();
  const sheet = page.getByRole("dialog");
  await sheet
    .locator("label")
    .filter({ hasText: /^Large/ })
    .click();
  await expectAccessible(page);
  await sheet.getByRole("button", { name: /^Add to cart · \$/ }).click();
  await page.getByRole("link", { name: /^View cart, 1 item/ }).click();
  await expect(page.getByRole("list", { name: "Items in your cart" })).toContainText("Large");
});

test("the saved cart has the picture of its store", async ({ page }) => {
  await signIn(page, { digits: newNumber(), firstName: "Ines" });
  await openStore(page, IMPORTED);
  // The app saves the cart shortly after each change.
  const saved = page.waitForResponse((response) => response.url().endsWith("/user/save-cart"), {
    timeout: 60_000,
  });
  await addLargeOatLatte(page);
  await page.getByRole("link", { name: /^View cart/ }).click();
  const { data } = (await (await saved).json()) as { data: { cart: { storePhoto: string } } };
  expect(data.cart.storePhoto).toContain("/api/consumer/store/photo?storeId=");
  await expect(page.locator("main img").first()).toHaveJSProperty("complete", true);
});
