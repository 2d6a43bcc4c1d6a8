import { expect, type Page, test } from "@playwright/test";
import { DEMO_CONSUMER, signIn } from "./consumer";
import { MAX_LAYOUT_SHIFT, observeLayoutShift, readLayoutShift } from "./layout-shift";
import { checkOutAs, placeButton } from "./ordering";

// The requests of a service worker could not be held. Most texts wrap on the narrowest phone.
test.use({ serviceWorkers: "block", viewport: { width: 320, height: 844 } });

interface Arrival {
  /** The path of the call whose response arrives last. */
  last: string;
  /** The paths of the calls whose responses arrive before. */
  first: readonly string[];
}

/** Opens a screen whose responses arrive in this order, and asserts that no part of it moves. */
async function expectNoShift(page: Page, address: string, { last, first }: Arrival): Promise<void> {
  const isCall = (path: string) => (url: URL) => url.pathname === `/api/consumer${path}`;
  const responses = first.map((path) => page.waitForResponse((call) => isCall(path)(new URL(call.url()))));
  const firstArrived = Promise.all(responses).then((all) => Promise.all(all.map((call) => call.finished())));
  await page.route(isCall(last), async (route) => {
    await firstArrived;
    await route.continue();
  });
  const lastResponse = page.waitForResponse((call) => isCall(last)(new URL(call.url())));
  await observeLayoutShift(page);
  await page.goto(address);
  await (await lastResponse).finished();
  await expect(page.locator("#first-paint")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 2 }).or(page.getByRole("listitem")).first()).toBeVisible();
  await expect(page.locator(".skeleton")).toHaveCount(0);
  // The last response is rendered, and the browser has reported what it moved.
  await page.waitForLoadState("networkidle");
  expect(await readLayoutShift(page)).toBeLessThan(MAX_LAYOUT_SHIFT);
}

for (const arrival of [
  { last: "/user/wallet", first: ["/payments/list", "/user/transaction-history", "/user/orders"] },
  { last: "/payments/list", first: ["/user/wallet", "/user/transaction-history", "/user/orders"] },
]) {
  test(`the wallet does not move when ${arrival.last} arrives last`, async ({ page }) => {
    await signIn(page, { digits: DEMO_CONSUMER });
    await expectNoShift(page, "/wallet", arrival);
  });
}

for (const arrival of [
  { last: "/user/offers", first: ["/user/rewards"] },
  { last: "/user/rewards", first: [] },
]) {
  test(`rewards do not move when ${arrival.last} arrives last`, async ({ page }) => {
    await signIn(page, { digits: DEMO_CONSUMER });
    await expectNoShift(page, "/rewards", arrival);
  });
}

test("activity does not move when the orders of its rows arrive", async ({ page }) => {
  await checkOutAs(page, { digits: DEMO_CONSUMER });
  await placeButton(page).click();
  await expect(page).toHaveURL(/\/orders\//);
  await expectNoShift(page, "/wallet/activity", {
    last: "/user/orders",
    first: ["/user/wallet", "/user/transaction-history"],
  });
  await expect(page.getByRole("list", { name: "Transactions" })).toContainText(/latte/i);
});

test("a company does not move when its cities arrive", async ({ page }) => {
  await signIn(page, { digits: DEMO_CONSUMER });
  const { data } = await (await page.request.get("/api/consumer/stores/list?take=50")).json();
  const stores: { companyId: string; city: string }[] = data.stores;
  // A company of one city does not list it.
  const inCities = stores.find(({ companyId, city }) =>
    stores.some((other) => other.companyId === companyId && other.city !== city),
  );
  await expectNoShift(page, `/company/${inCities?.companyId}`, {
    last: "/store/locations",
    first: ["/store/company-info", "/company/stores"],
  });
  await expect(page.getByRole("region", { name: "Cities" })).toBeVisible();
});
