import { readFile } from "node:fs/promises";
import { expect, type Page, type Route, test } from "@playwright/test";
import { expectAccessible } from "./axe";
import { newNumber } from "./consumer";
import {
  addLargeOatLatte,
  checkOutLatte,
  openStore,
  openStoreId,
  pick,
  placeButton,
  signInWithCard,
} from "./ordering";
import { checkScreen } from "./screen";
import { readPin, redeemPin } from "./store-api";

test.setTimeout(120_000);

/** A seeded store that never closes. */
const STORE = "Market & Van Ness";
const COMPANY = "Juniper Lane Coffee";
/** The seeded physical card. */
const PHYSICAL_CARD = { number: "JAVA-2026-CAFE-0001", pin: "2580" };

/** Returns the code of the gift card that was sent to a phone number. */
async function codeFor(digits: string): Promise<string> {
  const file = process.env.GIFT_MESSAGE_FILE ?? "";
  const find = async () => {
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
    const messages: { to: string; code: string }[] = lines.map((line) => JSON.parse(line));
    return messages.find(({ to }) => to === `+1${digits}`)?.code ?? "";
  };
  await expect.poll(find, { timeout: 60_000 }).not.toBe("");
  return find();
}

const option = (page: Page, label: string | RegExp) => page.locator("label").filter({ hasText: label });

test("added funds pay once with a PIN at the counter, then a part of an order", async ({ page }) => {
  await signInWithCard(page, "Iris");
  await expectAccessible(page);

  await test.step("add funds", async () => {
    await page.getByRole("link", { name: "Add funds" }).click();
    await pick(page, "Amount", /^Other/);
    await page.getByRole("textbox", { name: "Other amount" }).fill("9");
    await page.getByRole("button", { name: /^Add funds/ }).click();
    await expect(page.getByText("Add at least $10.")).toBeVisible();
    await checkScreen(page, "add-funds");
    await page.getByRole("textbox", { name: "Other amount" }).fill("10");
    await page.getByRole("button", { name: "Add funds · $10.00" }).click();
    await expect(page).toHaveURL(/\/wallet$/);
    await expect(page.getByRole("region", { name: "JoePass" })).toContainText("$10.00");
  });

  await openStore(page, STORE);
  const storeId = openStoreId(page);
  await addLargeOatLatte(page);

  await test.step("pay with a PIN", async () => {
    await page.goto(`/account/pin?storeId=${storeId}`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Show my PIN" }).click();
    await expect(page.getByRole("region", { name: "PIN" })).toContainText(`For ${STORE} only`);
    await checkScreen(page, "pin");
    const pin = await readPin(page);
    expect(pin).toMatch(/^\d{4}$/);
    expect((await redeemPin(page, storeId, pin, 450)).status).toBe(200);
    expect((await redeemPin(page, storeId, pin, 450)).reason).toBe("PIN_NOT_VALID");
  });

  await test.step("pay the rest of an order with a card", async () => {
    await page.goto("/cart");
    await page.getByLabel(/^Quantity/).selectOption("2");
    await page.getByRole("link", { name: /^Check out · \$.+ready/ }).click();
    await expect(
      page.getByRole("heading", { name: /^\$5\.50 from JoePass, and \$[\d.]+ with/ }),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: /^Pay the rest with Visa ending 4242/ })).toBeVisible();
    await checkScreen(page, "checkout-split");
    await placeButton(page).click();
    await expect(page).toHaveURL(/\/orders\//);
    const parts = /\$5\.50 (\(JoePass\)|with JoePass) and \$[\d.]+ (\(your card\)|with your card)/;
    await expect(page.getByText(parts).first()).toBeVisible();
  });

  await page.goto("/wallet/activity");
  const transactions = page.getByRole("list", { name: "Transactions" });
  await expect(transactions.getByRole("listitem")).toContainText([
    `${STORE}`,
    `Paid at ${STORE}`,
    "Added funds",
  ]);
  await expect(transactions.getByRole("listitem").first()).toContainText("−$5.50$0.00 left");
  await expectAccessible(page);
});

test("gift cards are bought, sent, redeemed and linked", async ({ page }) => {
  await signInWithCard(page, "Gwen");
  const digits = newNumber();

  await test.step("send a card", async () => {
    await page.goto("/gift-cards");
    await expect(page.getByText("No gift cards yet")).toBeVisible();
    await page.getByRole("link", { name: "Buy a gift card" }).click();
    await option(page, /^\$25$/).click();
    await option(page, "For someone else").click();
    await page.getByRole("button", { name: /^Buy gift card/ }).click();
    await expect(page.getByLabel("Their phone number")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Their name (optional)").fill("Ana");
    await page.getByLabel("Their phone number").fill(digits);
    await page.getByLabel("Message (optional)").fill("Enjoy!");
    await expect(page.getByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeVisible();
    await checkScreen(page, "buy-gift-card");
    await page.getByRole("button", { name: "Buy gift card · $25.00" }).click();
    await expect(page.getByRole("heading", { name: "Your gift is sent" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("redeem its code", async () => {
    await page.goto("/wallet/redeem");
    await page.getByLabel("Gift card code").fill("0000-0000-0000-0000");
    await page.getByRole("button", { name: "Add to my wallet" }).click();
    await expect(page.getByLabel("Gift card code")).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(page);
    await page.getByLabel("Gift card code").fill(await codeFor(digits));
    await page.getByRole("button", { name: "Add to my wallet" }).click();
    await expect(page.getByRole("heading", { name: "Added to your wallet" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("link a physical card", async () => {
    await page.goto("/gift-cards/link");
    await page.getByLabel("Card number").fill(PHYSICAL_CARD.number);
    await page.getByLabel("PIN, if the card has one").fill(PHYSICAL_CARD.pin);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add to my wallet" }).click();
    await expect(page.getByRole("region", { name: "Physical gift card" })).toContainText("$25.00");
  });

  await page.getByRole("link", { name: "See your gift cards" }).click();
  await expect(page.getByRole("list", { name: "Your gift cards" }).getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);
});

test("a company card is bought with a deal, pays at its stores, and is turned off and on", async ({
  page,
}) => {
  await signInWithCard(page, "Cleo");

  await test.step("buy with a deal", async () => {
    await openStore(page, STORE);
    await page.getByRole("link", { name: COMPANY, exact: true }).click();
    await page.getByRole("link", { name: `${COMPANY} card` }).click();
    await expect(page.getByRole("heading", { name: `No ${COMPANY} card yet` })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: /Pay \$25, get \$30/ }).click();
    await expect(page.getByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Pay $25.00" }).click();
    await expect(page.getByRole("heading", { name: "$30.00 added" })).toBeVisible();
  });

  await test.step("order with it", async () => {
    await checkOutLatte(page, STORE);
    await expect(page.getByRole("button", { name: new RegExp(`^Pay with ${COMPANY}`) })).toBeVisible();
    await placeButton(page).click();
    await expect(page).toHaveURL(/\/orders\//);
    await expect(page.getByText(new RegExp(`your ${COMPANY} card`)).first()).toBeVisible();
  });

  await page.goto("/gift-cards");
  await page.getByRole("list", { name: "Company cards" }).getByRole("link").click();
  for (const [list, name] of [
    ["All", "Transactions"],
    ["Orders", "Transactions"],
    ["Added", "Added"],
  ] as const) {
    await option(page, new RegExp(`^${list}$`)).click();
    await expect(page.getByRole("list", { name, exact: true })).toContainText(
      list === "Added" ? "+$30.00" : STORE,
    );
    if (list !== "All") await expectAccessible(page);
  }
  const toggle = page.getByRole("switch", { name: "Use at checkout" });
  await toggle.click();
  await expect(page.getByText("It's off. Your balance stays.")).toBeVisible();
  await expect(toggle).toHaveAttribute("aria-checked", "false");
  await checkOutLatte(page, STORE);
  await expect(page.getByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeVisible();
  await page.goto("/gift-cards");
  await expect(page.getByRole("list", { name: "Company cards" })).toContainText("Not used at checkout");
  await page.getByRole("list", { name: "Company cards" }).getByRole("link").click();
  await toggle.click();
  await expect(page.getByText("We suggest this card at their stores.")).toBeVisible();
});

test("a gift card is bought once although the response is lost", async ({ page }) => {
  await signInWithCard(page, "Ines");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/gift-cards/buy");
  await option(page, /^\$25$/).click();
  await expect(page.getByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeVisible();
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route("**/api/consumer/gift-card", lose);
  const buy = page.getByRole("button", { name: /^Buy gift card/ });
  await buy.click();
  const notice = page.getByText(/you won't be charged twice/);
  await expect(notice).toBeVisible();
  const box = await notice.boundingBox();
  const bar = await buy.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0), "the notice is above the button").toBeLessThan(bar?.y ?? 0);
  await expect(page.getByRole("radio", { name: "$50" })).toBeDisabled();
  await page.unroute("**/api/consumer/gift-card", lose);
  await buy.click();
  await expect(page.getByRole("heading", { name: "Your card is ready" })).toBeVisible();
  await page.goto("/gift-cards");
  await expect(page.getByRole("list", { name: "Your gift cards" }).getByRole("listitem")).toHaveCount(1);
});
