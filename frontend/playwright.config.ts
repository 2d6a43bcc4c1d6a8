import { defineConfig } from "@playwright/test";

const baseURL = process.env.BASE_URL ?? "http://127.0.0.1:7080";

const shown = (key: string, value: string) => ({
  name: `order-ahead.${key}`,
  value: JSON.stringify({ version: 1, value }),
});

/** Browsers that have shown the install banner and the offer of notifications, which would cover parts of the screens. */
const storageState = {
  cookies: [],
  origins: [
    {
      origin: baseURL,
      localStorage: [
        shown("last-smart-banner", "2026-01-01"),
        shown("last-push-request", new Date().toISOString()),
      ],
    },
  ],
};

/** Browser tests against the running system, in the installed Chromium with a phone viewport. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/imported-stores.ts",
  // The tests share one system.
  workers: 1,
  // Generous, because a busy machine is slow.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    baseURL,
    storageState,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: "en-US",
    timezoneId: "America/Los_Angeles",
    // A trace takes a third of the time of a test. To get one: `deploy/dev/browser-tests --trace retain-on-failure`.
    trace: "off",
    // Shorter than the timeout of a test, so that the error names the action.
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // The map draws with WebGL, and the machine may have no graphics card.
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        // Only the map needs the emulated graphics card. Pages are drawn faster without it.
        "--disable-gpu-compositing",
      ],
    },
  },
});
