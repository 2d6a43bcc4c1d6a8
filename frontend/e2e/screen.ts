import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { readLayoutProblems } from "./layout-problems";

const NARROWEST = { width: 320, height: 740 };
/** Of the pictures: the supported widths. */
const SIZES = [
  NARROWEST,
  { width: 360, height: 780 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
];
/** The browser's default, in px. */
const TEXT_SIZE = 16;

/**
 * Asserts that the open screen is accessible in both themes, fits the narrowest phone, and fits with text of 200 percent. Saves
 * pictures of it to the folder `SCREENSHOTS`, if that is set.
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
  const narrow = await readLayoutProblems(page);
  await page.setViewportSize(original);
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 2 * TEXT_SIZE } });
  const large = await readLayoutProblems(page);
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-large-text.png` });
  }
  await session.send("Page.setFontSizes", { fontSizes: { standard: TEXT_SIZE } });
  await session.detach();
  expect.soft({ narrow, large }, name).toEqual({ narrow: [], large: [] });
}

async function savePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${folder}/${name}-${size.width}.png`, fullPage: true });
  }
}
