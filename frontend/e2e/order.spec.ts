import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { DEMO_CONSUMER, newNumber, signIn } from "./consumer";
import { IMPORTED, IMPORTED_WITHOUT_SIMULATOR } from "./imported-stores";
import {
  addCard,
  addLargeOatLatte,
  bankDialog,
  checkOutAs,
  expectCardSelected,
  goToCheckout,
  openStore,
  pick,
  placeButton,
} from "./ordering";
import { advanceOrder } from "./store-api";

test.setTimeout(180_000);

const PAID_WITH_JOEPASS = /^(\$[\d.]+ on hold \(JoePass\)|Paid \$[\d.]+ with JoePass)$/;
const alert = (page: Page, hasText: RegExp) => page.getByRole("alert").filter({ hasText });

test("a new consumer adds a card, orders a customized drink at an imported store, and follows its progress", async ({
  page,
}) => {
  await signIn(page, { digits: newNumber(), firstName: "Ines" });
  await openStore(page, IMPORTED_WITHOUT_SIMULATOR);
  await expectAccessible(page);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await addCard(page, "4242424242424242");
  await expectCardSelected(page, "4242");
  await expectAccessible(page);
  await pick(page, "Tip", /^15%/);
  await expect(page.getByText(/^You'll earn \d+ points\./)).toBeVisible();
  await placeButton(page).click();

  await expect(page).toHaveURL(/\/orders\//);
  await expect(page.getByRole("heading", { level: 1, name: /^Ready \d/ })).toBeVisible();
  await expectAccessible(page);
  const steps = page.getByRole("list", { name: "Order progress" });
  await advanceOrder(page, "accept");
  await expect(steps.getByText("Accepted, done")).toBeVisible();
  await advanceOrder(page, "start");
  await expect(steps.getByText("Being made, now")).toBeVisible();
  await advanceOrder(page, "ready");
  await expect(page.getByRole("heading", { level: 1, name: "It's ready" })).toBeVisible();
  await page.getByRole("button", { name: "I'm here" }).click();
  await expect(page.getByText("The store knows you're here.", { exact: true })).toBeVisible();
  await advanceOrder(page, "complete");
  await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible();

  // Points and messages arrive asynchronously.
  await expect(async () => {
    await page.goto("/inbox");
    await expect(page.getByRole("list", { name: "Messages" })).toContainText(/points/i, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expectAccessible(page);
  await page.goto("/my-joe");
  await expect(page.getByRole("heading", { name: /^[1-9]\d* points/ })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/orders");
  // Yesterday, if the test runs at midnight.
  await expect(page.getByText(new RegExp(`${IMPORTED_WITHOUT_SIMULATOR}, (today|yesterday)`))).toBeVisible();
  await expectAccessible(page);
  await page.goto("/cart");
  await expect(page.getByText("Your cart is empty")).toBeVisible();
});

test("Maya pays with her JoePass, and the activity explains the amount", async ({ page }) => {
  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  await page.getByRole("link", { name: /^View cart/ }).click();
  await expectAccessible(page);
  await page.getByRole("link", { name: /^Check out/ }).click();
  await expect(page.getByRole("button", { name: /^Pay with JoePass.*left after this order/ })).toBeVisible();
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  await expect(page.getByText(PAID_WITH_JOEPASS)).toBeVisible();
  const total = await page.getByText(PAID_WITH_JOEPASS).textContent();
  const amount = /\$[\d.]+/.exec(total ?? "")?.[0] ?? "";
  await page.goto("/my-joe");
  const latest = page.getByRole("listitem").filter({ hasText: IMPORTED }).first();
  await expect(latest).toContainText(`−${amount}`);
  await expect(latest).toContainText(/tax \d/);
  await page.goto("/wallet");
  await expect(page.getByText("JoePass").first()).toBeVisible();
  await expectAccessible(page);
});

test("a declined card shows an error and keeps the cart", async ({ page }) => {
  await checkOutAs(page, { digits: newNumber(), firstName: "Ravi" });
  await addCard(page, "4000000000000341");
  await expectCardSelected(page, "0341");
  await placeButton(page).click();
  await expect(alert(page, /declined.+your cart is still here/is)).toBeVisible();
  await expectAccessible(page);
  await page.goto("/cart");
  await expect(page.getByRole("list", { name: "Items in your cart" }).getByRole("listitem")).toHaveCount(1);
  await page.goto("/orders");
  await expect(page.getByText("No orders yet")).toBeVisible();
});

test("a card that cannot be saved shows an error in the form", async ({ page }) => {
  await checkOutAs(page, { digits: newNumber(), firstName: "Ravi" });
  await addCard(page, "4000000000000002");
  await expect(alert(page, /declined/i)).toBeVisible();
  await expectAccessible(page);
});

test("failed authentication keeps the cart, and successful authentication places the order", async ({
  page,
}) => {
  await checkOutAs(page, { digits: newNumber(), firstName: "Noor" });
  await addCard(page, "4000002760003184");
  await Promise.race([
    page.waitForURL(/\/checkout/),
    bankDialog(page).getByRole("button", { name: "Complete authentication" }).click(),
  ]);
  await expectCardSelected(page, "3184");
  await placeButton(page).click();
  await bankDialog(page).getByRole("button", { name: "Fail authentication" }).click();
  await expect(alert(page, /your cart is still here/i)).toBeVisible();
  await placeButton(page).click();
  await bankDialog(page).getByRole("button", { name: "Complete authentication" }).click();
  await expect(page).toHaveURL(/\/orders\//);
  await expect(page.getByRole("heading", { level: 1, name: /^Ready/ })).toBeVisible();
});
