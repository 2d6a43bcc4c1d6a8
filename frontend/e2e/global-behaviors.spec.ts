import { expect, test } from "@playwright/test";
import { offerApp } from "./app-store";
import { newNumber, signIn } from "./consumer";
import { createHandOverCode } from "./hand-over";

test("a browser without local storage is asked to enable it", async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    }),
  );
  await page.goto("/explore");
  await expect(
    page.getByRole("heading", { name: "Please enable local storage to use the app!" }),
  ).toBeVisible();
  const loaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Reload" }).click();
  await loaded;
  await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
});

test("a session of the native app starts with the code in the address, and its banner offers points", async ({
  page,
  browser,
}) => {
  const appKey = process.env.NATIVE_APP_KEY;
  if (!appKey) throw new Error("NATIVE_APP_KEY is not set: run the browser tests with `make test`");
  await signIn(page, { digits: newNumber(), firstName: "Sol" });
  const code = await createHandOverCode(page, appKey);
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const other = await context.newPage();
  await offerApp(other);
  await other.goto(`/explore?q=duval&session=${code}`);
  await expect(other).toHaveURL(/\/explore\?q=duval$/);
  await expect(
    other.getByText("Earn 2x the points on every purchase when you order on the app."),
  ).toBeVisible();
  const cookies = await context.cookies();
  expect(cookies).toContainEqual(expect.objectContaining({ httpOnly: true, path: "/", sameSite: "Lax" }));
  await other.goto("/");
  await expect(other.getByRole("heading", { name: /^Good .+, Sol/ })).toBeVisible();
  // The code works once.
  const third = await (await browser.newContext()).newPage();
  await third.goto(`/?session=${code}`);
  await expect(third.getByRole("link", { name: "Sign in" })).toBeVisible();
  await third.context().close();
  await context.close();
});

test("home leads to the bookmark of any page until it is opened", async ({ page }) => {
  await page.goto(
    `/explore?bookmark=${encodeURIComponent('{"url":"/gift-cards/link","name":"Link a card"}')}`,
  );
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("order-ahead.bookmark")))
    .toContain('"name":"Link a card"');
  await page.goto("/");
  await page.getByRole("link", { name: "Continue to Link a card" }).click();
  await expect(page).toHaveURL(/gift-cards%2Flink|gift-cards\/link/);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue to Link a card" })).toHaveCount(0);
});

test("a session that ended elsewhere leads to sign-in with an explanation, and back", async ({
  page,
  context,
}) => {
  await signIn(page, { digits: newNumber(), firstName: "Uma" });
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Uma" })).toBeVisible();
  await context.clearCookies();
  await page.evaluate(() => history.pushState(null, "", "/inbox"));
  await expect(page).toHaveURL(/\/sign-in\/getting-started\?next=%2F(inbox|account)/);
  await expect(page.getByText("Your session ended. Please sign in again.")).toBeVisible();
});

test("a sign-out in one tab signs out the others, and shows nothing of the consumer there", async ({
  page,
  context,
}) => {
  await signIn(page, { digits: newNumber(), firstName: "Noor" });
  const [home, account] = [await context.newPage(), await context.newPage()];
  await home.goto("/");
  await expect(home.getByRole("heading", { name: /^Good .+, Noor/ })).toBeVisible();
  await account.goto("/account");
  await expect(account.getByRole("heading", { name: "Noor" })).toBeVisible();
  await page.goto("/account");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(account).toHaveURL(/\/sign-in\/getting-started\?next=%2Faccount$/);
  await expect(home.getByRole("link", { name: "Sign in" })).toBeVisible();
  for (const tab of [home, account]) await expect(tab.getByText("Noor")).toHaveCount(0);
});

for (const [day, date, count] of [
  ["Monday", "2026-11-23", 1],
  ["Tuesday", "2026-11-24", 0],
] as const) {
  test(`the My Joe tab has ${count} dots for rewards on ${day}`, async ({ page }) => {
    await page.clock.setFixedTime(new Date(`${date}T18:00:00Z`));
    await page.goto("/");
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("order-ahead.reward-indicator")))
      .toContain(date);
    await expect(page.locator("html[data-reward-day]")).toHaveCount(count);
  });
}
