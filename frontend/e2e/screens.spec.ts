import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { STORE } from "./console";
import { DEMO_CONSUMER, newNumber, requestCode, signIn } from "./consumer";
import { addLargeOatLatte, goToCheckout, openStore, placeButton } from "./ordering";
import { checkScreen } from "./screen";
import { advanceOrder, rejectOrder } from "./store-api";

test.setTimeout(1_200_000);
test.use({ serviceWorkers: "block" });

/** All routes of the app, as the build lists them. */
const ROUTES: string[] = JSON.parse(readFileSync(new URL("../dist/routes.json", import.meta.url), "utf8"));

/** Routes whose screens are checked by other tests, or by this one before the consumer is signed in. */
const OTHERS = [
  ...["/sign-in/getting-started", "/sign-in/verify"],
  ...["/store-console", "/store-console/hours", "/store-console/sold-out", "/store-console/today"],
];

interface Ids {
  storeId: string;
  companyId: string;
  itemId: string;
  groupId: string;
  choiceId: string;
  orderId: string;
}

/** Returns addresses of a route with data. Most routes have their own path as their only address. */
function addressesOf(route: string, ids: Ids): string[] {
  const { storeId, companyId, itemId, groupId, choiceId, orderId } = ids;
  const item = `/store/${storeId}/item/${itemId}`;
  const addresses: Record<string, string[]> = {
    "/explore/filtered": ["/explore/filtered?q=harbor"],
    "/store/$storeId/menu": [`/store/${storeId}/menu`],
    "/store/$storeId/item/$itemId": [
      item,
      `${item}?group=${groupId}`,
      `${item}?group=${groupId}&choice=${choiceId}`,
    ],
    "/company/$companyId": [`/company/${companyId}`],
    "/company/$companyId_/card": [`/company/${companyId}/card`],
    "/company/$companyId_/buy-card": [`/company/${companyId}/buy-card`],
    "/orders/$orderId": [`/orders/${orderId}`],
    "/order/complete": [`/order/complete?orderId=${orderId}`],
    "/lp/$": ["/lp/welcome"],
  };
  return addresses[route] ?? [route];
}

async function read<Data>(page: Page, path: string): Promise<Data> {
  const response = await page.request.get(`/api/consumer${path}`);
  return (await response.json()).data;
}

/** Finds a store of a company, and an item of it with options. */
async function findIds(page: Page): Promise<Omit<Ids, "orderId">> {
  const storeId = /\/store\/([^/]+)\//.exec(page.url())?.[1] ?? "";
  const { companyId } = await read<{ companyId: string }>(page, `/store/info?storeId=${storeId}`);
  const { sections } = await read<{ sections: { items: { itemId: string; name: string }[] }[] }>(
    page,
    `/store/menu?storeId=${storeId}`,
  );
  const latte = sections.flatMap(({ items }) => items).find(({ name }) => name === "Latte");
  const itemId = latte?.itemId ?? "";
  const { modifications } = await read<{
    modifications: { modificationId: string; choices: { choiceId: string }[] }[];
  }>(page, `/item/modifications?storeId=${storeId}&itemId=${itemId}`);
  const [group] = modifications;
  const choiceId = group?.choices[0]?.choiceId ?? "";
  return { storeId, companyId, itemId, groupId: group?.modificationId ?? "", choiceId };
}

/** Navigates within the app, which is quicker than loading it again, and waits for the screen, or for a sheet of the same screen. */
async function navigate(page: Page, address: string): Promise<void> {
  const isSheet = new URL(address, page.url()).pathname === new URL(page.url()).pathname;
  await page.evaluate((next) => {
    for (const main of document.querySelectorAll("main")) main.id = "previous-screen";
    history.pushState(null, "", next);
  }, address);
  const screen = isSheet ? page.getByRole("dialog") : page.locator("main:not(#previous-screen)");
  await expect(screen, address).toBeVisible();
  // Not for an idle network, because the live stream stays open.
  await expect(page.locator(".skeleton, [aria-busy=true]")).toHaveCount(0);
}

/** Orders a latte from a store whose orders are made by its staff only. The screen of the order is open. */
async function orderLatte(page: Page): Promise<void> {
  await openStore(page, STORE.name);
  await addLargeOatLatte(page);
  await goToCheckout(page);
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\/ord_/);
}

const headline = (page: Page, name: RegExp) => page.getByRole("heading", { level: 1, name });

/** Names the pictures of an address, without ids. */
const nameOf = (address: string): string =>
  address
    .replace(/[a-z]{3}_\w+/g, "id")
    .replace(/[^a-z]+/g, "-")
    .replace(/^-/, "") || "home";

/** Asserts that controls are in one row on phones of 360 px and more. */
async function expectOneRow(page: Page, controls: Locator[]): Promise<void> {
  const original = page.viewportSize();
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 780 });
    const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size, `rows at ${width} px`).toBe(1);
  }
  if (original) await page.setViewportSize(original);
}

async function checkAddresses(page: Page, addresses: readonly string[], prefix = ""): Promise<void> {
  for (const address of addresses) {
    await test.step(address, async () => {
      await navigate(page, address);
      await checkScreen(page, prefix + nameOf(address));
    });
  }
}

test("every screen is accessible in both themes, on the narrowest phone and with large text", async ({
  page,
  browser,
}) => {
  await test.step("signed out", async () => {
    const context = await browser.newContext();
    const visitor = await context.newPage();
    const code = await requestCode(visitor, newNumber());
    await checkScreen(visitor, "sign-in-code");
    await visitor.getByLabel("Six-digit code").fill(code);
    await expect(visitor.getByLabel("First name")).toBeVisible();
    await checkScreen(visitor, "sign-in-name");
    await context.clearCookies();
    await visitor.goto("/sign-in/getting-started");
    await checkScreen(visitor, "sign-in");
    await checkAddresses(visitor, ["/", "/cart"], "signed-out-");
    await context.close();
  });

  await signIn(page, { digits: DEMO_CONSUMER });
  await openStore(page, STORE.name);
  const ids = await findIds(page);
  await addLargeOatLatte(page);
  const ofOrders = ["/", "/orders", "/orders/$orderId", "/order/complete"];
  const routes = ROUTES.filter((route) => !OTHERS.includes(route) && !ofOrders.includes(route));
  await checkAddresses(
    page,
    routes.flatMap((route) => addressesOf(route, { ...ids, orderId: "" })),
  );

  await openStore(page, STORE.name);
  await goToCheckout(page);
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\/ord_/);
  const orderId = /\/orders\/([^?/]+)/.exec(page.url())?.[1] ?? "";
  await checkAddresses(
    page,
    ofOrders.flatMap((route) => addressesOf(route, { ...ids, orderId })),
  );
  await navigate(page, `/orders/${orderId}`);
  await page.getByRole("button", { name: "Cancel order" }).click();
  await checkScreen(page, "cancel-order");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
  await expect(headline(page, /^Canceled$/)).toBeVisible();
  await checkScreen(page, "order-canceled");

  await orderLatte(page);
  await advanceOrder(page, "accept");
  await advanceOrder(page, "start");
  await expect(page.getByText("Being made, now")).toBeVisible();
  await checkScreen(page, "order-preparing");
  await test.step("home shows both actions of the order in one row", async () => {
    const order = new URL(page.url()).pathname;
    await navigate(page, "/");
    await expectOneRow(page, [
      page.getByRole("button", { name: "I'm here" }),
      page.getByRole("link", { name: "Track order" }),
    ]);
    await navigate(page, order);
  });
  await advanceOrder(page, "ready");
  await expect(headline(page, /^It's ready$/)).toBeVisible();
  await checkScreen(page, "order-ready");
  await advanceOrder(page, "complete");
  await expect(headline(page, /^Enjoy$/)).toBeVisible();
  await checkScreen(page, "order-completed");

  await orderLatte(page);
  await rejectOrder(page, "Sorry, we've run out of something in your order.");
  await expect(headline(page, /^Not made$/)).toBeVisible();
  await checkScreen(page, "order-rejected");
});
