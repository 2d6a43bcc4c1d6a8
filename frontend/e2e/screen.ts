import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe";

const NARROWEST = { width: 360, height: 740 };
const SIZES = [NARROWEST, { width: 390, height: 844 }, { width: 768, height: 1024 }];

/**
 * Asserts that the open screen is accessible in both themes and fits the narrowest phone. Saves pictures of it to the folder
 * `SCREENSHOTS`, if that is set.
 */
export async function checkScreen(page: Page, name: string): Promise<void> {
  const original = page.viewportSize() ?? NARROWEST;
  await expect(page.locator(".skeleton")).toHaveCount(0);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page);
    await savePictures(page, `${name}-${colorScheme}`);
  }
  await page.setViewportSize(NARROWEST);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name} is wider than the phone`).toBe(0);
  await page.setViewportSize(original);
}

async function savePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${folder}/${name}-${size.width}.png`, fullPage: true });
  }
}
