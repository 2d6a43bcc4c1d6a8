import { expect, test } from "@playwright/test";
import { openConsole, openTab, STORE, TABLET } from "./console";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { addLargeOatLatte, goToCheckout, openStore, pick, placeButton } from "./ordering";
import { checkScreen } from "./screen";

const TIMEOUT_MS = 120_000;

test.setTimeout(TIMEOUT_MS);

/** Waits for the next day at the store if it begins during the test, which needs one "tomorrow". */
test.beforeEach(async () => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: STORE.timeZone,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
  });
  const [hour = 0, minute = 0] = format.format(new Date()).split(":").map(Number);
  const untilMidnight = (24 * 60 - 60 * hour - minute) * 60_000;
  if (untilMidnight > TIMEOUT_MS) return;
  test.setTimeout(2 * TIMEOUT_MS + untilMidnight);
  await new Promise((resolve) => setTimeout(resolve, untilMidnight));
});

test("two tabs place one curbside order for tomorrow, which the store moves, and which is canceled", async ({
  page,
  context,
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

  // Both tabs have the cart, and place it at the same time.
  const other = await context.newPage();
  await other.goto("/checkout");
  await expect(other.getByRole("heading", { name: /tomorrow 8:00/ })).toBeVisible();
  for (const tab of [page, other]) await expect(placeButton(tab)).toBeEnabled();
  // Pressed at once: a tab shows the order as soon as the other one has placed it, and then has no button.
  const buttons = await Promise.all([page, other].map((tab) => placeButton(tab).elementHandle()));
  await Promise.all(buttons.map((button) => button?.evaluate((element: HTMLElement) => element.click())));
  for (const tab of [page, other]) await expect(tab).toHaveURL(/\/orders\/ord_/);
  expect(other.url()).toBe(page.url());

  await openTab(staff, "Hours");
  await staff
    .getByRole("button", { name: /^Move, / })
    .first()
    .click();
  await staff.getByText("Tomorrow, 8:15 AM", { exact: true }).click();
  await checkScreen(staff, "console-move");
  await staff.getByRole("button", { name: "Move to tomorrow, 8:15 AM" }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByText(/moved your order: ready tomorrow at 8:15/)).toBeVisible();
  }
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByRole("heading", { level: 1, name: "Canceled" })).toBeVisible();
  }
  await tablet.close();
});
