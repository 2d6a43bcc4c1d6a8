import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Waits for the end of transitions, which mix colors. Animations of more than a second continue. */
const finishTransitions = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const endsSoon = ({ playState, effect, currentTime }: Animation) =>
      playState === "running" && Number(effect?.getComputedTiming().endTime) - Number(currentTime) < 1_000;
    const transitions = document.getAnimations().filter(endsSoon);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });

/** Asserts that axe reports no violations, except in the frames of the payment provider. The test continues after a failure. */
export async function expectAccessible(page: Page): Promise<void> {
  // Scripts run after the page is painted, so the screen may be rendered after the load event.
  await page.locator("main").first().waitFor({ state: "attached" });
  await finishTransitions(page);
  // The legacy mode opens no second page, which only frames of other origins need.
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").setLegacyMode().analyze();
  expect
    .soft(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`))
    .toEqual([]);
}
