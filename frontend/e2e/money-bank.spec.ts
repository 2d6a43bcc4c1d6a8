import { expect, type Page, test } from "@playwright/test";
import { holdDebits, returnDebit, settleDebits } from "./card-sandbox";
import { newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { addLargeOatLatte, fillCard, goToCheckout, openStore, placeButton } from "./ordering";
import { checkScreen } from "./screen";

test.setTimeout(180_000);
const COMPLETION = { timeout: 90_000 };

/** Links a bank account in the provider's dialog, from the payment selector. */
async function linkBankAccount(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Pay with/ }).click();
  await checkScreen(page, "payment-selector");
  await page.getByRole("link", { name: "Add a card or bank account" }).click();
  await checkScreen(page, "add-payment");
  await page.getByRole("link", { name: /^Bank account/ }).click();
  await expect(page.getByLabel("Name on the account")).toHaveValue("Noor");
  await checkScreen(page, "link-bank-account");
  await page.getByRole("button", { name: "Agree and choose account" }).click();
  const bank = page.frameLocator('iframe[title="Link a bank account"]');
  await bank.getByRole("button", { name: "Link account" }).click();
  await expect(page.getByRole("button", { name: /^Pay with .*Account ending 6789/ })).toBeVisible();
}

/** Returns what the consumer owes, in cents. */
async function totalOwed(page: Page): Promise<number> {
  const response = await page.request.get("/api/consumer/payment/failed-payments");
  const { data } = (await response.json()) as { data: { totalOwed: number } };
  return data.totalOwed;
}

test("a bank payment that is returned after the order was made blocks orders until a card pays it", async ({
  page,
}) => {
  await signIn(page, { digits: newNumber(), firstName: "Noor" });
  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await holdDebits();
  try {
    await linkBankAccount(page);
    await placeButton(page).click();
    await expect(page).toHaveURL(/\/orders\//);
    await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible(COMPLETION);
  } finally {
    await settleDebits();
  }
  await returnDebit(/\/orders\/([^?/]+)/.exec(page.url())?.[1] ?? "");
  await expect.poll(() => totalOwed(page), { timeout: 20_000 }).toBeGreaterThan(0);

  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await placeButton(page).click();
  const problem = page.getByRole("dialog", { name: "We have a problem" });
  await expect(problem).toContainText("1 item");
  await expect(problem).toContainText("Insufficient funds");
  await expect(problem).toContainText("Total penalty fee$5.00");

  // Only cards and the wallet of the device pay it, not the bank account.
  await problem.getByRole("button", { name: /^Pay with/ }).click();
  const selector = page.getByRole("dialog", { name: "Pay with" });
  await expect(selector).toContainText("New credit card");
  await expect(selector).not.toContainText("6789");
  await selector.getByRole("link", { name: "Add a card" }).click();
  await fillCard(page, "4242424242424242");
  await expect(page).toHaveURL(/\/checkout/);

  // The cart is unchanged. The order is placed after the payment.
  await placeButton(page).click();
  await expect(problem.getByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeVisible();
  await checkScreen(page, "failed-payments");
  await problem.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page.getByText("Thank you for updating the payments")).toBeVisible();
  await expect(problem).toBeHidden();
  expect(await totalOwed(page)).toBe(0);
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  await page.goto("/wallet");
  await expect(page.getByRole("list", { name: "Payment methods" }).getByRole("listitem")).toHaveCount(2);
  await page.goto("/my-joe");
  await page.getByRole("link", { name: "Points and rewards" }).click();
  await expect(page.getByRole("list", { name: "Points activity" })).toContainText(IMPORTED);
  await checkScreen(page, "rewards");
});
