/**
 * Takes pictures of the screens at every supported width in both themes: `npm run screenshots` against a running system (BASE_URL,
 * SMS_FILE), signed in as the demo consumer. Writes them to the folder SCREENSHOTS (default `screenshots`).
 */
import { mkdir } from "node:fs/promises";
import { chromium, type Page } from "@playwright/test";
import { DEMO_CONSUMER, signIn } from "./e2e/consumer.ts";

const baseURL = process.env.BASE_URL ?? "http://127.0.0.1:7080";
const folder = process.env.SCREENSHOTS ?? "screenshots";
const WIDTHS = [320, 360, 390, 768, 1280];
const SCHEMES = ["light", "dark"] as const;
/** For drawings, which load after the texts. */
const SETTLE_MS = 500;

/** Screens that need no session. */
const PUBLIC = ["/", "/explore", "/explore/map", "/explore/filtered", "/explore/location-permissions"];
const SIGN_IN = ["/sign-in/getting-started", "/lp/error"];
const PERSONAL = [
  ...["/", "/cart", "/checkout", "/orders", "/my-joe", "/rewards", "/inbox"],
  ...["/wallet", "/wallet/activity", "/wallet/add-funds", "/wallet/auto-reload", "/wallet/loyalty-cards"],
  ...["/wallet/redeem", "/gift-cards", "/gift-cards/buy", "/gift-cards/link"],
  ...["/account", "/account/settings", "/account/devices", "/account/delete", "/account/pin"],
  ...["/account/share", "/account/add-credit-card", "/account/add-payment", "/account/link-bank-account"],
];

interface Ids {
  storeId: string;
  companyId: string;
  itemId: string;
}

async function read<Data>(path: string): Promise<Data> {
  const response = await fetch(`${baseURL}/api/consumer${path}`);
  return (await response.json()).data;
}

async function findIds(): Promise<Ids> {
  const { stores } = await read<{ stores: { storeId: string; companyId: string }[] }>("/stores/list?take=1");
  const [store] = stores;
  if (!store) throw new Error("the system has no stores");
  const { sections } = await read<{ sections: { items: { itemId: string }[] }[] }>(
    `/store/menu?storeId=${store.storeId}`,
  );
  const [item] = sections.flatMap(({ items }) => items);
  if (!item) throw new Error("the store has no menu");
  return { ...store, itemId: item.itemId };
}

const ofRecords = ({ storeId, companyId, itemId }: Ids): string[] => [
  `/store/${storeId}/menu`,
  `/store/${storeId}/item/${itemId}`,
  `/company/${companyId}`,
];

async function takePictures(page: Page, paths: readonly string[], prefix: string): Promise<void> {
  for (const path of paths) {
    const name = `${prefix}${path.replace(/[0-9a-f-]{36}/g, "id").replaceAll("/", "_")}`;
    await page.goto(path);
    await page.locator("#first-paint").waitFor({ state: "detached" });
    // Not for an idle network, because the live stream stays open.
    await page.locator(".skeleton, [aria-busy=true]").first().waitFor({ state: "detached" });
    await page.waitForTimeout(SETTLE_MS);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
  }
}

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
try {
  const context = await browser.newContext({ baseURL, serviceWorkers: "block", locale: "en-US" });
  await context.addInitScript(() =>
    localStorage.setItem("order-ahead.last-smart-banner", '{"version":1,"value":"2026-01-01"}'),
  );
  const page = await context.newPage();
  await takePictures(page, [...PUBLIC, ...ofRecords(await findIds()), ...SIGN_IN], "signed-out");
  if (process.env.SMS_FILE) {
    await signIn(page, { digits: DEMO_CONSUMER });
    await takePictures(page, PERSONAL, "signed-in");
  }
} finally {
  await browser.close();
}
