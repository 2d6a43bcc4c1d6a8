import { expect, type Page } from "@playwright/test";
import { openOrderId, openStoreId } from "./ordering";

/** The credential that the seed of a development or test system creates. */
const CREDENTIAL = process.env.DEV_STORE_CREDENTIAL ?? "store_dev_credential_for_the_simulator";

/** Marks a choice of a store as sold out, or available again, as its staff do. */
export async function setChoiceSoldOut(
  page: Page,
  storeId: string,
  choiceId: string,
  soldOut: boolean,
): Promise<void> {
  const response = await page.request.post(`/store-api/stores/${storeId}/availability`, {
    headers: { authorization: `Bearer ${CREDENTIAL}` },
    data: { subject: "choice", id: choiceId, soldOut },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** Advances the order of the open screen, as the staff of the store do. */
export async function advanceOrder(
  page: Page,
  step: "accept" | "start" | "ready" | "complete",
): Promise<void> {
  const response = await page.request.post(`/store-api/orders/${openOrderId(page)}/${step}`, {
    headers: { authorization: `Bearer ${CREDENTIAL}` },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** Rejects the order of the open screen, as the staff of the store do. */
export async function rejectOrder(page: Page, reason: string): Promise<void> {
  const response = await page.request.post(`/store-api/orders/${openOrderId(page)}/reject`, {
    headers: { authorization: `Bearer ${CREDENTIAL}` },
    data: { reason },
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** Returns the store of the open screen, and the id of a choice of an item by name. */
export async function findChoice(
  page: Page,
  itemId: string,
  name: string,
): Promise<{ storeId: string; choiceId: string }> {
  const storeId = openStoreId(page);
  const response = await page.request.get(
    `/api/consumer/item/modifications?storeId=${storeId}&itemId=${itemId}`,
  );
  const { data } = (await response.json()) as {
    data: { modifications: { choices: { choiceId: string; name: string }[] }[] };
  };
  const choices = data.modifications.flatMap((group) => group.choices);
  const choice = choices.find((candidate) => candidate.name === name);
  if (!choice) throw new Error(`${itemId} has no choice ${name}`);
  return { storeId, choiceId: choice.choiceId };
}

/** Returns the PIN of the open screen. */
export async function readPin(page: Page): Promise<string> {
  const spoken = await page.getByText(/^Your PIN is/).textContent();
  return (/Your PIN is ([\d ]+)\./.exec(spoken ?? "")?.[1] ?? "").replaceAll(" ", "");
}

/** Charges an amount in cents to the PIN of a consumer at the counter, as staff do. Returns the status and the reason. */
export async function redeemPin(
  page: Page,
  storeId: string,
  pin: string,
  amount: number,
): Promise<{ status: number; reason: string }> {
  const response = await page.request.post(`/store-api/stores/${storeId}/counter-payments`, {
    headers: { authorization: `Bearer ${CREDENTIAL}` },
    data: { pin, amount, idempotencyKey: crypto.randomUUID() },
  });
  const { reason = "" } = (await response.json()) as { reason?: string };
  return { status: response.status(), reason };
}
