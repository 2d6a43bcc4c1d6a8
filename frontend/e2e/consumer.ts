import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";

/** The phone number of the seeded demo consumer Maya, who has a JoePass balance. */
export const DEMO_CONSUMER = "4155550100";

/** Several area codes, because the server limits codes per prefix. */
const AREAS = ["213", "312", "503", "617", "704", "808", "917"];

/** Returns an unused number. */
export function newNumber(): string {
  const area = AREAS[randomInt(AREAS.length)];
  return `${area}5${String(randomInt(1_000_000)).padStart(6, "0")}`;
}

export interface Consumer {
  digits: string;
  /** Of a new consumer. */
  firstName?: string;
}

/** Signs in with the code from the development sender's file. A new consumer enters the first name. */
export async function signIn(page: Page, { digits, firstName }: Consumer): Promise<void> {
  const code = await requestCode(page, digits);
  await page.getByLabel("Six-digit code").fill(code);
  if (firstName) {
    await page.getByLabel("First name").fill(firstName);
    await page.getByRole("button", { name: "Start ordering" }).click();
  }
  await expect(page).not.toHaveURL(/sign-in/);
}

/** Opens the sign-in, requests a code and returns it. The page then shows its field. */
export async function requestCode(page: Page, digits: string): Promise<string> {
  await page.goto("/sign-in/getting-started");
  await page.getByLabel("Mobile number").fill(digits);
  const previousCodes = await codesFor(digits);
  await page.getByRole("button", { name: "Text me a code" }).click();
  await expect(page.getByLabel("Six-digit code")).toBeVisible();
  await expect.poll(async () => (await codesFor(digits)).length).toBeGreaterThan(previousCodes.length);
  return (await codesFor(digits)).at(-1) ?? "";
}

/** Returns the codes sent to a number, oldest first. The development sender appends one JSON line per code. */
async function codesFor(digits: string): Promise<string[]> {
  const file = process.env.SMS_FILE;
  if (!file) throw new Error("SMS_FILE is not set: run the browser tests with `make test`");
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const sent: { phone: string; code?: string }[] = lines.map((line) => JSON.parse(line));
  return sent.filter(({ phone }) => phone === `+1${digits}`).flatMap(({ code }) => code ?? []);
}
