import type { Page } from "@playwright/test";

/** No shift that a reader sees: an edge that is rounded to another pixel counts 0.0001. */
export const MAX_LAYOUT_SHIFT = 0.001;

/** Sums the movements of the pages that are opened from then on. */
export async function observeLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number })[];
      for (const { value } of shifts) window.layoutShift = (window.layoutShift ?? 0) + value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

export const readLayoutShift = (page: Page) => page.evaluate(() => window.layoutShift ?? 0);

declare global {
  interface Window {
    layoutShift?: number;
  }
}
