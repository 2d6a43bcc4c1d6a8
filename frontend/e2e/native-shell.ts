import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";

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
export async function simulateShell(page: Page, settings: object = {}): Promise<void> {
  await page.addInitScript((text) => localStorage.setItem("shell-simulator", text), JSON.stringify(settings));
  await page.addInitScript({ path: SHELL });
}

/** Returns the details of the messages that the app has sent on this page. */
export const sent = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate(
    (eventName) =>
      window.shellPlayer.messages
        .filter((message) => message.direction === "sent" && message.eventName === eventName)
        .map(({ detail }) => detail),
    name,
  );

export const expectSent = (page: Page, name: string, details: unknown[]): Promise<void> =>
  expect.poll(() => sent(page, name)).toEqual(details);

/** Sends a message to the app. */
export const send = (page: Page, eventName: string, detail: unknown): Promise<void> =>
  page.evaluate(([name, value]) => window.shellPlayer.send(name, value), [eventName, detail] as const);

/** Sets the reply to a request of the app. */
export const reply = (page: Page, eventName: string, detail: unknown): Promise<void> =>
  page.evaluate(
    ([name, value]) => {
      window.shellPlayer.replies[name] = value;
    },
    [eventName, detail] as const,
  );

/** Returns an item that the app stored on the device. */
export const stored = (page: Page, key: string): Promise<unknown> =>
  page.evaluate((item) => JSON.parse(localStorage.getItem(`order-ahead.${item}`) ?? "{}").value, key);
