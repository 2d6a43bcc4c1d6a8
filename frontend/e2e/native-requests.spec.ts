import { expect, test } from "@playwright/test";
import { newNumber, signIn } from "./consumer";
import { createHandOverCode } from "./hand-over";
import { expectSent, reply, send, sent, simulateShell } from "./native-shell";
import { pick } from "./ordering";

test("the wallet of the device pays in the shell, unless the consumer cancels", async ({ page }) => {
  await simulateShell(page, { device: "ios" });
  await signIn(page, { digits: newNumber(), firstName: "Mira" });
  await send(page, "navigate", { pathname: "/wallet/add-funds" });
  await expect(page.getByRole("button", { name: /^Pay with Apple Pay/ })).toBeVisible();
  await pick(page, "Amount", /^Other/);
  await page.getByRole("textbox", { name: "Other amount" }).fill("12");
  const addFunds = page.getByRole("button", { name: "Add funds · $12.00" });

  await reply(page, "payment", { paymentMethodId: null });
  await addFunds.click();
  await expectSent(page, "payment", [{ amount: 1200 }]);
  await expect(addFunds).not.toHaveAttribute("aria-busy", "true");

  await reply(page, "payment", { card: "tok_visa" });
  await addFunds.click();
  await expectSent(page, "payment", [{ amount: 1200 }, { amount: 1200 }]);
  await expect(page).not.toHaveURL(/add-funds/);
  await send(page, "navigate", { pathname: "/wallet" });
  await expect(page.getByRole("region", { name: "JoePass" })).toContainText("$12.00");
});

test("the shell hands a session over, and registers the device for notifications", async ({
  page,
  browser,
}) => {
  await signIn(page, { digits: newNumber(), firstName: "Noor" });
  const code = await createHandOverCode(page);
  const context = await browser.newContext();
  const shell = await context.newPage();
  await simulateShell(shell, { device: "android" });
  await shell.goto("/");
  await expectSent(shell, "session", [{ signedIn: false }]);

  // The app loads the page again with the code, and the gateway removes it from the address.
  await send(shell, "session", { code });
  await expect(shell.getByRole("heading", { name: /^Good .+, Noor/ })).toBeVisible();
  await expect(shell).toHaveURL(/:\d+\/$/);
  await expectSent(shell, "session", [{ signedIn: true }]);
  await expect.poll(() => sent(shell, "user")).toContainEqual(expect.objectContaining({ firstName: "Noor" }));

  const saved = shell.waitForResponse((response) => response.url().includes("/user/save-push-subscription"));
  await send(shell, "push-notification-request", { token: "device-token-1" });
  const response = await saved;
  expect(response.request().postDataJSON()).toEqual({ nativeToken: "device-token-1" });
  expect(response.status()).toBe(200);
  await context.close();
});
