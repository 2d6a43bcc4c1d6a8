import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Asserts that axe reports no violations, except in the frames of the payment provider. The test continues after a failure. */
export async function expectAccessible(page: Page): Promise<void> {
  // The legacy mode opens no second page, which only frames of other origins need.
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").setLegacyMode().analyze();
  expect
    .soft(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`))
    .toEqual([]);
}
