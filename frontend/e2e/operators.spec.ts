import { expect, test } from "@playwright/test";
import { STORE } from "./console";
import { newNumber, signIn } from "./consumer";
import {
  addCard,
  addLargeOatLatte,
  expectCardSelected,
  goToCheckout,
  openOrderId,
  openStore,
  placeButton,
} from "./ordering";
import { checkScreen } from "./screen";
import { advanceOrder } from "./store-api";

test.setTimeout(180_000);

test("an operator reads the records of an order; staff and wrong keys do not", async ({ page, browser }) => {
  const digits = newNumber();
  await signIn(page, { digits, firstName: "Noor" });
  await openStore(page, STORE.name);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await addCard(page, "4242424242424242");
  await expectCardSelected(page, "4242");
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\/ord_/);
  const orderId = openOrderId(page);
  await advanceOrder(page, "accept");

  const context = await browser.newContext({ viewport: { width: 1180, height: 820 } });
  const operator = await context.newPage();
  await operator.goto("/store-console");
  await operator.getByRole("link", { name: "Order records, for operators" }).click();
  await expect(operator).toHaveTitle("Order records · Store console");
  const key = operator.getByLabel("Operator key");
  const show = operator.getByRole("button", { name: "Show records" });
  await operator.getByLabel("Order ID").fill(orderId);
  await key.fill("a-key-that-no-operator-of-this-system-has");
  await show.click();
  await expect(operator.getByText("That operator key isn't valid.")).toBeVisible();
  await expect(operator.getByRole("region")).toHaveCount(0);

  await key.fill(process.env.OPERATOR_KEY ?? "");
  const records = operator.getByRole("region", { name: orderId });
  // The capture is an effect of the accepted order.
  await expect(async () => {
    await show.click();
    await expect(records.getByText(/^effect capture done/)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  for (const text of [/^status placed/, /^charge created/, /^event ordering.OrderAccepted consumed/]) {
    await expect(records.getByText(text).first()).toBeVisible();
  }
  const shown = (await records.textContent()) ?? "";
  for (const personal of ["Noor", digits, "4242424242424242"]) expect(shown).not.toContain(personal);
  await checkScreen(operator, "order-records");
  await context.close();
});
