import { expect, test } from "@playwright/test";
import { openConsole, openTab, STORE, TABLET } from "./console";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { addLargeOatLatte, goToCheckout, openStore, pick } from "./ordering";

test.setTimeout(120_000);

test("a curbside order for tomorrow is scheduled, moved by the store, and canceled", async ({
  page,
  browser,
}) => {
  const tablet = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(tablet);
  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, STORE.name);
  await addLargeOatLatte(page);
  await goToCheckout(page);

  await pick(page, "Pickup method", /Curbside/);
  await page.getByRole("button", { name: "Add your car" }).click();
  await page.getByLabel("Color").fill("Blue");
  await page.getByLabel("Make").fill("Fiat");
  await page.getByRole("button", { name: "Save car" }).click();
  await page.getByRole("button", { name: "More times" }).click();
  await pick(page, "Day", /^Tomorrow/);
  await pick(page, "Time", /^8:00 AM/);
  await page.getByRole("button", { name: "Pick up tomorrow at 8:00 AM" }).click();
  await expect(page.getByRole("heading", { name: /tomorrow 8:00/ })).toBeVisible();
  await page.getByRole("button", { name: /^Place order · \$/ }).click();
  await expect(page).toHaveURL(/\/orders\/ord_/);

  await openTab(staff, "Hours");
  await staff
    .getByRole("button", { name: /^Move, / })
    .first()
    .click();
  await staff.getByRole("button", { name: "Tomorrow, 8:15 AM" }).click();
  await expect(page.getByText(/moved your order: ready tomorrow at 8:15/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Canceled" })).toBeVisible();
  await tablet.close();
});
