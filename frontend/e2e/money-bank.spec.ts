import { expect, type Page, test } from "@playwright/test";
import { holdDebits, returnDebit, settleDebits } from "./card-sandbox";
import { newNumber } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { COMPLETION, checkOutAs, checkOutLatte, fillCard, openOrderId, pick, placeButton } from "./ordering";
import { checkScreen } from "./screen";

test.setTimeout(480_000);

const UPDATE = "**/payment/update-failed-payments";
/** Can be saved, but declines each charge. */
const DECLINED_CARD = "4000000000000341";
const GOOD_CARD = "4242424242424242";

const problemDialog = (page: Page) => page.getByRole("dialog", { name: "We have a problem" });

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

/** Places the order of checkout. Returns its id. */
async function placeOrder(page: Page): Promise<string> {
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  // The cart is empty then.
  await expect(page.getByRole("list", { name: "Order progress" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("order-ahead.cart"))).toBeNull();
  return openOrderId(page);
}

/** Returns what the consumer owes, in cents. */
async function totalOwed(page: Page): Promise<number> {
  const response = await page.request.get("/api/consumer/payment/failed-payments");
  const { data } = (await response.json()) as { data: { totalOwed: number } };
  return data.totalOwed;
}

/** Adds a card from the modal, which closes, and opens the modal again. */
async function addCardFromModal(page: Page, number: string): Promise<void> {
  await problemDialog(page)
    .getByRole("button", { name: /^Pay with/ })
    .click();
  const selector = page.getByRole("dialog", { name: "Pay with" });
  await expect(selector).toContainText("New credit card");
  // Only cards and the wallet of the device pay a returned payment, not bank accounts.
  await expect(selector).not.toContainText("6789");
  await selector.getByRole("link", { name: "Add a card" }).click();
  await fillCard(page, number);
  await expect(page).toHaveURL(/\/checkout/);
  await placeButton(page).click();
  await expect(problemDialog(page)).toBeVisible();
}

/** Pays the first debt of the modal with the good card. The modal closes. */
async function payOneDebt(page: Page): Promise<void> {
  const problem = problemDialog(page);
  await problem.getByRole("button", { name: /^Pay with/ }).click();
  await pick(page, "Pay with", /Visa ending 4242/);
  await page.getByRole("dialog", { name: "Pay with" }).getByRole("button", { name: "Okay" }).click();
  const owed = await totalOwed(page);
  await problem
    .getByRole("button", { name: /^Pay \$/ })
    .first()
    .click();
  await expect(page.getByText("Thank you for updating the payments").first()).toBeVisible();
  await expect(problem).toBeHidden();
  expect(await totalOwed(page)).toBeLessThan(owed);
}

/** Orders twice with a bank account. The bank returns both payments after the orders were made. Returns the first order. */
async function oweTwoOrders(page: Page): Promise<string> {
  await holdDebits();
  let first: string;
  try {
    await linkBankAccount(page);
    first = await placeOrder(page);
    await checkOutLatte(page);
    const orders = [first, await placeOrder(page)];
    for (const order of orders) {
      await page.goto(`/orders/${order}`);
      await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible(COMPLETION);
    }
    for (const order of orders) await returnDebit(order);
  } finally {
    await settleDebits();
  }
  // Each has a penalty fee of $5.
  await expect.poll(() => totalOwed(page), { timeout: 60_000 }).toBeGreaterThan(2_000);
  return first;
}

test("payments that the bank returns after the orders were made block orders until a card pays them", async ({
  page,
}) => {
  await checkOutAs(page, { digits: newNumber(), firstName: "Noor" });
  const order = await oweTwoOrders(page);
  await test.step("the history marks both orders, each tag in one line", async () => {
    await page.goto("/orders");
    const tags = page.getByText("Payment returned");
    await expect(tags).toHaveCount(2);
    await page.setViewportSize({ width: 320, height: 740 });
    const box = await tags.first().boundingBox();
    expect(box?.height).toBeLessThan(30);
    await page.setViewportSize({ width: 390, height: 844 });
  });
  await checkOutLatte(page);
  await placeButton(page).click();
  const problem = problemDialog(page);

  await test.step("the modal explains the debts and their fees", async () => {
    await expect(problem).toContainText("Your bank returned 2 payments.");
    await expect(problem).toContainText("1 item");
    await expect(problem).toContainText("Insufficient funds");
    await expect(problem).toContainText("The penalty fee covers that, once per payment.");
    await expect(problem).toContainText("Total penalty fee$10.00");
    // The wallet of the device pays one at a time.
    await expect(problem.getByRole("button", { name: /^Pay with Google Pay/ })).toBeVisible();
    await expect(problem.getByRole("button", { name: /^Pay all/ })).toBeHidden();
    await checkScreen(page, "failed-payments-without-card");
  });

  await test.step("a declined card makes no payment, and the buttons are busy during the call", async () => {
    await addCardFromModal(page, DECLINED_CARD);
    const owed = await totalOwed(page);
    const payAll = problem.getByRole("button", { name: /^Pay all · / });
    const payOne = problem.getByRole("button", { name: /^Pay \$/ }).first();
    let requests = 0;
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route(UPDATE, async (route) => {
      requests += 1;
      await held;
      await route.continue();
    });
    await payAll.click();
    await expect(payAll).toHaveAttribute("aria-busy", "true");
    await expect(payOne).toBeDisabled();
    await payAll.click({ force: true });
    respond();
    await expect(page.getByText(/declined/i).first()).toBeVisible();
    await expect(payOne).toBeEnabled();
    await page.unroute(UPDATE);
    expect(requests).toBe(1);
    expect(await totalOwed(page)).toBe(owed);
  });

  await test.step("a good card pays one debt, then the other", async () => {
    await addCardFromModal(page, GOOD_CARD);
    await payOneDebt(page);
    await placeButton(page).click();
    await expect(problem).toContainText("Your bank returned a payment.");
    await expect(problem.getByRole("button", { name: /^Pay all/ })).toBeHidden();
    await checkScreen(page, "failed-payments");
    await payOneDebt(page);
    expect(await totalOwed(page)).toBe(0);
  });

  // The cart is unchanged.
  await placeOrder(page);
  await test.step("the order and its receipt show that it was paid later", async () => {
    await page.goto(`/orders/${order}`);
    await expect(page.getByText(/returned by your bank and paid later/).first()).toBeVisible();
    await checkScreen(page, "order-paid-later");
    await page.getByRole("link", { name: "View receipt" }).click();
    await expect(page.getByText("Your bank returned this payment. You've paid it since.")).toBeVisible();
    await checkScreen(page, "receipt-paid-later");
  });
  await page.goto("/wallet");
  await expect(page.getByRole("list", { name: "Payment methods" }).getByRole("listitem")).toHaveCount(3);
  await page.goto("/my-joe");
  await page.getByRole("link", { name: "Points and rewards" }).click();
  await expect(page.getByRole("list", { name: "Points activity" })).toContainText(IMPORTED);
  await checkScreen(page, "rewards");
});
