import { expect, test } from "@playwright/test";
import { newNumber, signIn } from "./consumer";

test("a new consumer signs in, is greeted by name, and signs out", async ({ page }) => {
  const digits = newNumber();
  await signIn(page, { digits, firstName: "Maya" });
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Maya" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Maya" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/getting-started/);
  await page.goto("/account");
  await expect(page).toHaveURL(/getting-started\?next=%2Faccount/);
});

test("an incorrect code shows an error and can be typed again", async ({ page }) => {
  await page.goto("/sign-in/getting-started");
  await page.getByLabel("Mobile number").fill(newNumber());
  await page.getByRole("button", { name: "Text me a code" }).click();
  const code = page.getByLabel("Six-digit code");
  await code.fill("000000");
  await expect(code).toHaveAttribute("aria-invalid", "true");
  await expect(code).toHaveValue("");
});
