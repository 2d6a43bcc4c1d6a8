import { expect, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { openConsole, openTab, readNumber, STORE, TABLET } from "./console";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { addLargeOatLatte, goToCheckout, openStore, placeButton } from "./ordering";

const SIZES = [TABLET, { width: 768, height: 1024 }, { width: 360, height: 740 }];
const PAGES = ["Orders", "Sold out", "Hours", "Today"];

test.setTimeout(120_000);

test("a consumer and the store console side by side: place, accept, delay, ready, complete", async ({
  page,
  browser,
}) => {
  const tablet = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(tablet);
  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, STORE.name);

  // Sold out on the tablet shows on the phone.
  await openTab(staff, "Sold out");
  const oat = staff.getByRole("checkbox", { name: "Oat available", exact: true });
  await oat.press("Space");
  await expect(staff.getByRole("region", { name: "Sold out now" })).toContainText("Oat");
  await page.getByRole("button", { name: "Search this menu" }).click();
  await page.getByRole("searchbox").fill("latte");
  await page.getByRole("link", { name: /latte/i }).first().click();
  await expect(page.getByText(/sold out/i).first()).toBeVisible();
  await staff
    .getByRole("button", { name: /Oat: available again/ })
    .first()
    .click();
  await expect(staff.getByRole("region", { name: "Sold out now" })).toHaveCount(0);

  await openStore(page, STORE.name);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await expect(page.getByRole("button", { name: /^Pay with JoePass/ })).toBeVisible();
  await openTab(staff, "Orders");
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  const number = await readNumber(page);

  // The order arrives by the stream, and each tap shows on the phone.
  const board = staff.getByRole("main");
  await board.getByRole("button", { name: `Accept, ${number}` }).click();
  const steps = page.getByRole("list", { name: "Order progress" });
  await expect(steps.getByText(/Accepted, (now|done)/)).toBeVisible();
  await expect(board).not.toContainText("$");

  const before = await page.getByRole("heading", { level: 1 }).textContent();
  await board.getByRole("button", { name: `Delay, ${number}` }).click();
  await staff
    .getByRole("button", { name: /^Ready \d/ })
    .nth(1)
    .click();
  await expect(page.getByText(/needs a little longer/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(before ?? "");

  await board.getByRole("button", { name: `Start, ${number}` }).click();
  await expect(steps.getByText("Being made, now")).toBeVisible();
  await board.getByRole("button", { name: `To the shelf, ${number}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: "It's ready" })).toBeVisible();
  await page.getByRole("button", { name: "I'm here" }).click();
  await board.getByRole("button", { name: `Hand over, ${number}` }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible();

  await openTab(staff, "Today");
  await expect(staff.getByText("Orders made")).toBeVisible();
  await expect(staff.getByText("1 of 1")).toBeVisible();
  await tablet.close();
});

test("a pause with a reason shows on the store page until it is resumed", async ({ page, browser }) => {
  const tablet = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(tablet);
  await staff.getByRole("button", { name: "Pause" }).click();
  await staff.getByRole("button", { name: "A machine is out of order" }).click();
  await expect(staff.getByText(/^New orders are paused until \d/)).toBeVisible();
  await openStore(page, STORE.name);
  await expect(page.getByText(/We're fixing a machine\. Ordering is back at \d/)).toBeVisible();
  await expectAccessible(page);
  await staff.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(/We're fixing a machine/)).toHaveCount(0);
  await tablet.close();
});

for (const viewport of SIZES) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`the console is accessible and fits ${viewport.width} px, ${colorScheme}`, async ({ browser }) => {
      const context = await browser.newContext({ viewport, colorScheme });
      const staff = await openConsole(context);
      for (const name of PAGES) {
        await openTab(staff, name);
        await expect(staff.getByRole("main").getByRole("heading").first()).toBeVisible();
        await expect(staff.getByRole("main").locator(".skeleton")).toHaveCount(0);
        await expectAccessible(staff);
        const overflow = await staff.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, name).toBe(0);
        const folder = process.env.SCREENSHOTS;
        if (folder) {
          const path = `${folder}/${name.replace(" ", "-")}-${viewport.width}-${colorScheme}.png`;
          await staff.screenshot({ path, fullPage: true });
        }
      }
      await context.close();
    });
  }
}

test("a lost connection shows on the console, and the board is current after it returns", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(context);
  await expect(staff.getByText(/^Live, /)).toBeVisible();
  await context.setOffline(true);
  await expect(staff.getByText(/^Connection lost\./)).toBeVisible({ timeout: 60_000 });
  await context.setOffline(false);
  await expect(staff.getByText(/^Live, /)).toBeVisible({ timeout: 60_000 });
  await context.close();
});
