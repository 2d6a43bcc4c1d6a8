import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { openConsole, openTab, readNumber, STORE, TABLET } from "./console";
import { DEMO_CONSUMER, newNumber, signIn } from "./consumer";
import { readLayoutProblems } from "./layout-problems";
import {
  addCard,
  addLargeOatLatte,
  expectCardSelected,
  goToCheckout,
  openStore,
  openStoreId,
  pick,
  placeButton,
} from "./ordering";
import { checkScreen } from "./screen";
import { readPin } from "./store-api";

const SIZES = [TABLET, { width: 768, height: 1024 }, { width: 320, height: 740 }];
const PAGES = ["Orders", "Sold out", "Hours", "Today"];
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

test.setTimeout(180_000);

const steps = (page: Page) => page.getByRole("list", { name: "Order progress" });

/** Places an order for the curb in a browser of its own. */
async function orderForTheCurb(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await signIn(page, { digits: newNumber(), firstName: "Noor" });
  await openStore(page, STORE.name);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await addCard(page, "4242424242424242");
  await expectCardSelected(page, "4242");
  await pick(page, "Pickup method", /Curbside/);
  await page.getByRole("button", { name: "Add your car" }).click();
  await page.getByLabel("Color").fill("Blue");
  await page.getByLabel("Make").fill("Fiat");
  await checkScreen(page, "vehicle");
  await page.getByRole("button", { name: "Save car" }).click();
  await expect(page.getByText("Blue Fiat")).toBeVisible();
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  return page;
}

test("two consumers and the store console at the same time show the changes of their own orders", async ({
  page,
  browser,
}) => {
  const [tablet, phone] = [await browser.newContext({ viewport: TABLET }), await browser.newContext(PHONE)];
  const staff = await openConsole(tablet);
  const board = staff.getByRole("main");
  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, STORE.name);

  await test.step("sold out on the tablet shows on the phone", async () => {
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
    await openTab(staff, "Orders");
  });

  await openStore(page, STORE.name);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await expect(page.getByRole("button", { name: /^Pay with JoePass/ })).toBeVisible();
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  const counter = await readNumber(page);
  const friend = await orderForTheCurb(phone);
  const curbside = await readNumber(friend);
  expect(curbside).not.toBe(counter);

  await test.step("a double tap on a reason does not reject an order", async () => {
    await board.getByRole("button", { name: `Reject, ${counter}` }).click();
    const sheet = staff.getByRole("dialog", { name: /^Reject / });
    await expect(sheet.getByRole("button", { name: "Reject the order" })).toBeDisabled();
    await sheet.getByText(/run out of something/).dblclick();
    await expect(sheet.getByRole("radio", { name: /run out of something/ })).toBeChecked();
    await checkScreen(staff, "console-reject");
    await sheet.getByRole("button", { name: "Keep the order" }).click();
    await expect(sheet).toBeHidden();
  });

  await test.step("each tap on the tablet reaches the phone of its consumer only", async () => {
    await board.getByRole("button", { name: `Accept, ${counter}` }).click();
    await expect(steps(page).getByText(/Accepted, (now|done)/)).toBeVisible();
    await expect(steps(friend).getByText(/Accepted, (now|done)/)).toHaveCount(0);
    await board.getByRole("button", { name: `Accept, ${curbside}` }).click();
    await expect(steps(friend).getByText(/Accepted, (now|done)/)).toBeVisible();
    await expect(board).not.toContainText("$");

    const promised = await page.getByRole("heading", { level: 1 }).textContent();
    await board.getByRole("button", { name: `Delay, ${counter}` }).click();
    const sheet = staff.getByRole("dialog", { name: /^More time/ });
    await sheet
      .getByText(/^Ready \d/)
      .nth(1)
      .click();
    await checkScreen(staff, "console-delay");
    await sheet.getByRole("button", { name: /^Delay to \d/ }).click();
    await expect(page.getByText(/needs a little longer/)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(promised ?? "");
    await expect(friend.getByText(/needs a little longer/)).toHaveCount(0);

    await board.getByRole("button", { name: `Start, ${counter}` }).click();
    await expect(steps(page).getByText("Being made, now")).toBeVisible();
    await expect(steps(friend).getByText("Being made, now")).toHaveCount(0);
    await expect(friend.getByText(counter, { exact: true })).toHaveCount(0);
    await checkScreen(staff, "console-board");
  });

  await test.step("both orders are handed over, one of them at the curb", async () => {
    await board.getByRole("button", { name: `To the shelf, ${counter}` }).click();
    await expect(page.getByRole("heading", { level: 1, name: "It's ready" })).toBeVisible();
    await board.getByRole("button", { name: `Start, ${curbside}` }).click();
    await board.getByRole("button", { name: `To the shelf, ${curbside}` }).click();
    await expect(friend.getByRole("heading", { level: 1, name: "It's ready" })).toBeVisible();
    await friend.getByRole("button", { name: "I'm here" }).click();
    await expect(friend.getByText("The store knows you're here.", { exact: true })).toBeVisible();
    await expect(board.getByText("At the curb, Blue Fiat")).toBeVisible();
    await checkScreen(friend, "order-arrived");
    await checkScreen(staff, "console-shelf");
    await board.getByRole("button", { name: `Hand over, ${curbside}` }).click();
    await expect(friend.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible();
    await page.getByRole("button", { name: "I'm here" }).click();
    await board.getByRole("button", { name: `Hand over, ${counter}` }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible();
  });

  await openTab(staff, "Today");
  await expect(staff.getByText("Orders made")).toBeVisible();
  await expect(staff.getByText(/^\d+ of \d+$/)).toBeVisible();
  await tablet.close();
  await phone.close();
});

test("a guest pays at the counter with a PIN, once", async ({ page, browser }) => {
  const tablet = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(tablet);
  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, STORE.name);
  await page.goto(`/account/pin?storeId=${openStoreId(page)}`);
  await page.getByRole("button", { name: "Show my PIN" }).click();
  await expect(page.getByRole("region", { name: "PIN" })).toContainText(`For ${STORE.name} only`);
  const pin = await readPin(page);
  const sheet = staff.getByRole("dialog", { name: "JoePass payment" });
  const pay = async () => {
    await staff.getByRole("button", { name: "JoePass payment" }).click();
    await sheet.getByLabel("Guest's PIN").fill(pin);
    await sheet.getByLabel("Amount").fill("1.50");
    await sheet.getByRole("button", { name: "Take payment" }).click();
  };
  await pay();
  await expect(staff.getByText("Paid $1.50 with JoePass.")).toBeVisible();
  await expect(sheet).toBeHidden();
  await pay();
  await expect(sheet.getByText("That PIN isn't valid. Ask for a new one.")).toBeVisible();
  for (const viewport of SIZES) {
    await staff.setViewportSize(viewport);
    expect.soft(await readLayoutProblems(staff), `${viewport.width} px`).toEqual([]);
    await expectAccessible(staff);
  }
  await page.goto("/wallet/activity");
  const newest = page.getByRole("list", { name: "Transactions" }).getByRole("listitem").first();
  await expect(newest).toContainText(`Paid at ${STORE.name}`);
  await expect(newest).toContainText("−$1.50");
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

test("the console is accessible in both themes and fits a tablet and the narrowest phone", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(context);
  for (const name of PAGES) {
    await openTab(staff, name);
    await expect(staff.getByRole("main").getByRole("heading").first()).toBeVisible();
    await expect(staff.getByRole("main").locator(".skeleton")).toHaveCount(0);
    for (const viewport of SIZES) {
      await staff.setViewportSize(viewport);
      expect.soft(await readLayoutProblems(staff), `${name} at ${viewport.width} px`).toEqual([]);
      for (const colorScheme of ["light", "dark"] as const) {
        await staff.emulateMedia({ colorScheme });
        await expectAccessible(staff);
        const folder = process.env.SCREENSHOTS;
        if (folder) {
          const path = `${folder}/console-${name.replace(" ", "-")}-${viewport.width}-${colorScheme}.png`;
          await staff.screenshot({ path, fullPage: true });
        }
      }
    }
  }
  await context.close();
});

test("a lost connection shows on the console, and the board is current after it returns", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: TABLET });
  const staff = await openConsole(context);
  await expect(staff.getByText(/^Live, /)).toBeVisible();
  await openTab(staff, "Today");
  await expect(staff.getByRole("heading", { name: "Today" })).toBeVisible();
  await context.setOffline(true);
  // The board is read when it opens, which is before the next poll.
  await openTab(staff, "Orders");
  await expect(staff.getByText(/^Connection lost\./)).toBeVisible({ timeout: 60_000 });
  await context.setOffline(false);
  await expect(staff.getByText(/^Live, /)).toBeVisible({ timeout: 60_000 });
  await context.close();
});
