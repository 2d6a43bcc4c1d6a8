import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";

/** Somebody who has never signed in: a number that no other test has. */
export function newNumber(): string {
  return `213555${String(Date.now() % 10_000).padStart(4, "0")}`;
}

/** Signs in as a person would: number, the code from the development sender's file, and the name of who is new. */
export async function signIn(
  page: Page,
  { digits, firstName }: { digits: string; firstName?: string },
): Promise<void> {
  await page.goto("/sign-in/getting-started");
  await page.getByLabel("Mobile number").fill(digits);
  const before = await codesFor(digits);
  await page.getByRole("button", { name: "Text me a code" }).click();
  await expect(page.getByLabel("Six-digit code")).toBeVisible();
  await expect.poll(async () => (await codesFor(digits)).length).toBeGreaterThan(before.length);
  await page.getByLabel("Six-digit code").fill((await codesFor(digits)).at(-1) ?? "");
  if (firstName) {
    await page.getByLabel("First name").fill(firstName);
    await page.getByRole("button", { name: "Start ordering" }).click();
  }
  await expect(page).not.toHaveURL(/sign-in/);
}

/** The codes sent to a number, oldest first: the development sender appends a line of JSON for each. */
async function codesFor(digits: string): Promise<string[]> {
  const file = process.env.SMS_FILE;
  if (!file) throw new Error("SMS_FILE is not set: run the browser tests with `make test`");
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const sent: { phone: string; code: string }[] = lines.map((line) => JSON.parse(line));
  return sent.filter(({ phone }) => phone === `+1${digits}`).map(({ code }) => code);
}
