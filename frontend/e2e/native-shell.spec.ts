import { expect, test } from "@playwright/test";
import { newNumber, signIn } from "./consumer";
import { IMPORTED } from "./imported-stores";
import { expectSent, reply, send, sent, simulateShell, stored } from "./native-shell";
import {
  addCard,
  addLargeOatLatte,
  COMPLETION,
  expectCardSelected,
  goToCheckout,
  openStore,
  placeButton,
} from "./ordering";

test.setTimeout(180_000);

for (const transport of ["react-native", "flutter"]) {
  test(`the app and a ${transport} shell exchange ping, routes, location and links`, async ({ page }) => {
    await simulateShell(page, { transport, device: "android", version: "4.1.0" });
    await page.goto("/");
    await expectSent(page, "ping", [{ protocolVersion: 1 }]);
    await expectSent(page, "session", [{ signedIn: false }]);
    await expect.poll(() => stored(page, "source-device")).toBe("android");
    await expect.poll(() => stored(page, "device-version")).toBe("4.1.0");

    await send(page, "navigate", { pathname: "/explore/location-permissions" });
    await expect(page).toHaveURL(/\/explore\/location-permissions$/);
    await reply(page, "geo-request", { error: "denied" });
    await page.getByRole("button", { name: "Use my location" }).click();
    await expect(page.getByText(/Location is off for this app/)).toBeVisible();
    await reply(page, "geo-request", { latitude: 34.0838, longitude: -118.2731 });
    await page.getByRole("button", { name: "Use my location" }).click();
    // Back to the screen before.
    await expect(page).toHaveURL(/:\d+\/$/);
    await expect.poll(() => stored(page, "location-services")).toBe("granted");
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

test("an order in the shell offers notifications, opens maps, calls the store, shares the receipt, and leads to a review", async ({
  page,
}) => {
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
  await expect.poll(() => stored(page, "push-request-accepted")).toBe(true);

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
  await page.getByRole("link", { name: /^Call / }).click();
  await expectSent(page, "external-link", [{ url: expect.stringMatching(/^tel:/) }]);

  await expect(page.getByRole("heading", { level: 1, name: "Enjoy" })).toBeVisible(COMPLETION);
  await page.evaluate(() => {
    const key = "order-ahead.last-order";
    const { version, value } = JSON.parse(localStorage.getItem(key) ?? "{}");
    const ts = new Date(Date.now() - 2 * 3_600_000).toISOString();
    localStorage.setItem(key, JSON.stringify({ version, value: { ...value, ts } }));
  });
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "Rate Your Order" });
  await dialog
    .locator("label")
    .filter({ has: page.getByRole("radio", { name: "5 stars" }) })
    .click();
  await dialog.getByRole("button", { name: "Send feedback" }).click();
  await expectSent(page, "review-request", [{}]);
  await expect.poll(() => stored(page, "review-requested")).toBe(true);
});

test("the shell receives sign-ins and sign-outs", async ({ page }) => {
  await simulateShell(page);
  await signIn(page, { digits: newNumber(), firstName: "Ana" });
  await expectSent(page, "session", [{ signedIn: false }, { signedIn: true }]);
  await send(page, "navigate", { url: "/account", replace: true });
  await page.getByRole("button", { name: "Sign out" }).click();
  await expectSent(page, "logout", [{}]);
  await expectSent(page, "session", [{ signedIn: false }, { signedIn: true }, { signedIn: false }]);
});
