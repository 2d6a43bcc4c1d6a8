import type { Page } from "@playwright/test";

/**
 * Creates a hand-over code for the consumer of the page, as a native app does. With the key of the native app the journey step of the
 * new session is "app".
 */
export async function createHandOverCode(page: Page, appKey?: string): Promise<string> {
  const response = await page.evaluate(async (key) => {
    const call = await fetch("/api/consumer/authentication/create-hand-over-code", {
      method: "POST",
      headers: { "content-type": "application/json", "x-correlation-id": crypto.randomUUID() },
      body: JSON.stringify(key ? { appKey: key } : {}),
    });
    return call.json();
  }, appKey);
  return response.data.code;
}
