import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import {
  addCard,
  COMPLETION,
  checkOutLatte,
  expectCardSelected,
  openStore,
  pick,
  placeButton,
} from "./ordering";
import { checkScreen } from "./screen";
import { findChoice, setChoiceSoldOut } from "./store-api";

test.setTimeout(180_000);

/** Opens the latte of the menu. Returns its id. */
async function openLatte(page: Page): Promise<string> {
  await openStore(page, IMPORTED);
  await page.getByRole("button", { name: "Search this menu" }).click();
  await page.getByRole("searchbox").fill("latte");
  await page.getByRole("link", { name: /latte/i }).first().click();
  await expect(page).toHaveURL(/\/item\//);
  return /\/item\/([^?]+)/.exec(page.url())?.[1] ?? "";
}

test("a choice that the store switches off is sold out in an open item without a reload", async ({
  page,
}) => {
  const streamed = page.waitForResponse((response) => response.url().includes("/store/events"));
  const itemId = await openLatte(page);
  expect((await streamed).status()).toBe(200);
  await pick(page, "Milk", /^Oat/);
  const { storeId, choiceId } = await findChoice(page, itemId, "Oat");
  await setChoiceSoldOut(page, storeId, choiceId, true);
  try {
    await expect(page.getByText("Oat milk just sold out. Please choose again.")).toBeVisible();
    await expectAccessible(page);
  } finally {
    await setChoiceSoldOut(page, storeId, choiceId, false);
  }
  await expect(page.getByText(/just sold out/)).toBeHidden();
});

test("after an order: its public receipt, the rating, and reordering without what is sold out", async ({
  page,
  browser,
}) => {
  await signIn(page, { digits: newNumber(), firstName: "Ines" });
  const itemId = await openLatte(page);
  const { storeId, choiceId } = await findChoice(page, itemId, "Oat");
  await checkOutLatte(page);
  await addCard(page, "4242424242424242");
  await expectCardSelected(page, "4242");
  await placeButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible(COMPLETION);
  const orderUrl = page.url();

  await test.step("the public receipt", async () => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, "share", {
        configurable: true,
        value: async ({ url }: ShareData) => document.body.setAttribute("data-shared", url ?? ""),
      });
    });
    await page.getByRole("button", { name: "Share receipt" }).click();
    await expect(page.locator("body")).toHaveAttribute("data-shared", /isReceiptPublicPage=true/);
    const url = (await page.locator("body").getAttribute("data-shared")) ?? "";
    const signedOut = await browser.newContext();
    const receipt = await signedOut.newPage();
    await receipt.goto(url);
    await expect(receipt.getByText(IMPORTED).first()).toBeVisible();
    await expect(receipt.getByText("Total", { exact: true })).toBeVisible();
    await expect(receipt.getByText("Ines")).toHaveCount(0);
    await expectAccessible(receipt);
    await receipt.goto(url.replace(/signature=(.)/, (_, first) => `signature=${first === "A" ? "B" : "A"}`));
    await expect(receipt.getByRole("heading", { name: "We couldn't open this receipt" })).toBeVisible();
    await signedOut.close();
  });

  await test.step("the rating", async () => {
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.endsWith("last-order")) ?? "";
      const stored = JSON.parse(localStorage.getItem(key) ?? "{}");
      stored.value.ts = new Date(Date.now() - 2 * 3_600_000).toISOString();
      localStorage.setItem(key, JSON.stringify(stored));
    });
    await page.reload();
    const dialog = page.getByRole("dialog", { name: "Rate Your Order" });
    await expect(dialog).toContainText(IMPORTED);
    await expect(dialog.locator("svg").first()).toBeVisible();
    await dialog.getByRole("button", { name: "Send feedback" }).click();
    await expect(dialog.getByText("Please select a rating")).toBeVisible();
    await dialog
      .locator("label")
      .filter({ has: page.getByRole("radio", { name: "4 stars" }) })
      .click();
    await checkScreen(page, "rate-order");
    await dialog.getByRole("button", { name: "Send feedback" }).click();
    await expect(page.getByText("Feedback submitted")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  await test.step("reordering", async () => {
    await setChoiceSoldOut(page, storeId, choiceId, true);
    try {
      await page.goto(orderUrl);
      await page.getByRole("button", { name: "Order again" }).click();
      const sheet = page.getByRole("dialog", { name: "Nothing left to order" });
      await expect(sheet).toContainText(/latte/i);
      await expectAccessible(page);
      await sheet.getByRole("button", { name: "Close" }).click();
    } finally {
      await setChoiceSoldOut(page, storeId, choiceId, false);
    }
    const again = page.getByRole("button", { name: "Order again" });
    const price = /\$[\d.]+/.exec((await again.textContent()) ?? "")?.[0] ?? "no price";
    await again.click();
    await expect(page).toHaveURL(/\/checkout/);
    await expect(page.getByRole("list", { name: "Items in your cart" })).toContainText("oat milk");
    await expect(page.getByRole("button", { name: /^Place order/ })).toContainText(price);
  });
});
