import type { Page } from "@playwright/test";

/** Sets the address of the app store, without which phones see no install banner. */
export async function offerApp(page: Page): Promise<void> {
  await page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", () => {
      const meta = document.querySelector<HTMLMetaElement>('meta[name="app-config"]');
      if (!meta) return;
      meta.content = JSON.stringify({
        ...JSON.parse(meta.content),
        appStoreUrl: "https://get.example.com/app",
      });
    }),
  );
}
