import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import {
  addCard,
  addLargeOatLatte,
  expectCardSelected,
  goToCheckout,
  openStore,
  placeButton,
} from "./ordering";

interface Message {
  direction: "sent" | "received";
  eventName: string;
  detail: unknown;
}

declare global {
  interface Window {
    /** Of the simulated shell. */
    shellPlayer: {
      messages: Message[];
      replies: Record<string, unknown>;
      send(eventName: string, detail?: unknown): void;
    };
  }
}

const SHELL = fileURLToPath(new URL("../../deploy/dev/shell-simulator/shell.js", import.meta.url));

/** Opens all pages in a simulated shell. */
async function simulateShell(page: Page, settings: object = {}): Promise<void> {
  await page.addInitScript((text) => localStorage.setItem("shell-simulator", text), JSON.stringify(settings));
  await page.addInitScript({ path: SHELL });
}

/** Returns the details of the messages that the app has sent on this page. */
const sent = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate(
    (eventName) =>
      window.shellPlayer.messages
        .filter((message) => message.direction === "sent" && message.eventName === eventName)
        .map(({ detail }) => detail),
    name,
  );

const send = (page: Page, eventName: string, detail: unknown): Promise<void> =>
  page.evaluate(([name, value]) => window.shellPlayer.send(name, value), [eventName, detail] as const);

const expectSent = (page: Page, name: string, details: unknown[]) =>
  expect.poll(() => sent(page, name)).toEqual(details);

const stored = (page: Page, key: string): Promise<unknown> =>
  page.evaluate((item) => JSON.parse(localStorage.getItem(`order-ahead.${item}`) ?? "{}").value, key);

for (const transport of ["react-native", "flutter"]) {
  test(`the app and a ${transport} shell exchange ping, routes, location and links`, async ({ page }) => {
    await simulateShell(page, { transport, device: "android", version: "4.1.0" });
    await page.goto("/");
    await expectSent(page, "ping", [{ protocolVersion: 1 }]);
    await expectSent(page, "session", [{ signedIn: false }]);
    await expect.poll(() => stored(page, "source-device")).toBe("android");
    expect(await stored(page, "device-version")).toBe("4.1.0");

    await send(page, "navigate", { pathname: "/explore/location-permissions" });
    await expect(page).toHaveURL(/\/explore\/location-permissions$/);
    await page.evaluate(() => {
      window.shellPlayer.replies["geo-request"] = { error: "denied" };
    });
    await page.getByRole("button", { name: "Use my location" }).click();
    await expect(page.getByText(/Location is off for this app/)).toBeVisible();
    await page.evaluate(() => {
      window.shellPlayer.replies["geo-request"] = { latitude: 34.0838, longitude: -118.2731 };
    });
    await page.getByRole("button", { name: "Use my location" }).click();
    // Back to the screen before.
    await expect(page).toHaveURL(/:\d+\/$/);
    expect(await stored(page, "location-services")).toBe("granted");
    await expectSent(page, "geo-request", [{}, {}]);
    await expectSent(
      page,
      "route-change",
      ["/", "/explore/location-permissions", "/"].map((pathname) => expect.objectContaining({ pathname })),
    );
    // Messages with another address are ignored.
    await send(page, "navigate", { url: "https://news.example/" });
    await send(page, "format-disk", {});
    await send(page, "navigate", { pathname: "/explore", replace: true });
    await expect(page).toHaveURL(/\/explore$/);
  });
}

// The shell offers notifications as on a new device.
test.use({ storageState: { cookies: [], origins: [] } });

test("an order in the shell offers notifications, opens maps and shares the receipt", async ({ page }) => {
  await simulateShell(page);
  await signIn(page, { digits: newNumber(), firstName: "Lea" });
  await expect.poll(() => sent(page, "user")).toContainEqual(expect.objectContaining({ firstName: "Lea" }));
  await openStore(page, IMPORTED);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await addCard(page, "4242424242424242");
  await expectCardSelected(page, "4242");
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await expectSent(page, "push-notification-request", [{}]);
  expect(await stored(page, "push-request-accepted")).toBe(true);

  await page.getByRole("link", { name: /^Directions to/ }).click();
  await expectSent(page, "external-map-link", [
    {
      url: expect.stringContaining("https://www.google.com/maps/dir/"),
      destination: expect.stringContaining(IMPORTED),
    },
  ]);
  await page.getByRole("button", { name: "Share receipt" }).click();
  await expectSent(page, "share", [
    { title: expect.stringContaining("Receipt from"), url: expect.stringContaining("/order/complete?") },
  ]);
  await expect(page).toHaveURL(/\/orders\//);
});

test("the shell learns who signs in and out", async ({ page }) => {
  await simulateShell(page);
  await signIn(page, { digits: newNumber(), firstName: "Ana" });
  await expectSent(page, "session", [{ signedIn: false }, { signedIn: true }]);
  await send(page, "navigate", { url: "/account", replace: true });
  await page.getByRole("button", { name: "Sign out" }).click();
  await expectSent(page, "logout", [{}]);
  await expectSent(page, "session", [{ signedIn: false }, { signedIn: true }, { signedIn: false }]);
});
