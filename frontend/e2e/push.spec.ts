import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type CDPSession, expect, type Page, test, type Worker } from "@playwright/test";

/**
 * The push part of the service worker in a real Chromium. The push service of the browser belongs to its vendor, so the message is
 * delivered by the DevTools protocol.
 */
const MESSAGE = {
  id: "msg_1",
  title: "Your order is ready",
  body: "Pick it up at Sunset & Maltman.",
  path: "/orders/ord_1",
  stopToken: "p00ff",
};

let server: Server;
let origin: string;
const posts: string[] = [];

test.beforeAll(async () => {
  const worker = await readFile(new URL("../public/push.js", import.meta.url), "utf8");
  server = createServer((request, response) => {
    if (request.method === "POST") posts.push(request.url ?? "");
    const isWorker = request.url === "/push.js";
    response.writeHead(200, { "content-type": isWorker ? "text/javascript" : "text/html" });
    response.end(isWorker ? worker : "<!doctype html><title>App</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  origin = `http://127.0.0.1:${address.port}`;
});

test.afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

async function openWithWorker(
  page: Page,
): Promise<{ worker: Worker; deliver: (message: object) => Promise<void> }> {
  const context = page.context();
  await context.grantPermissions(["notifications"], { origin });
  const started = context.waitForEvent("serviceworker");
  const client: CDPSession = await context.newCDPSession(page);
  const registrations: string[] = [];
  client.on("ServiceWorker.workerRegistrationUpdated", (update) => {
    registrations.push(...update.registrations.map(({ registrationId }) => registrationId));
  });
  await client.send("ServiceWorker.enable");
  await page.goto(origin);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/push.js");
    await navigator.serviceWorker.ready;
  });
  const worker = await started;
  await expect.poll(() => registrations.length).toBeGreaterThan(0);
  const registrationId = registrations.at(-1) ?? "";
  const deliver = async (message: object) => {
    await client.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId,
      data: JSON.stringify(message),
    });
  };
  return { worker, deliver };
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
  });

test("a push is shown once, however often it is delivered", async ({ page }) => {
  const { deliver } = await openWithWorker(page);
  const { body } = MESSAGE;
  const other = { ...MESSAGE, id: "msg_2", title: "We added $25.00 to JoePass" };
  const byTag = async () => (await shown(page)).sort((one, two) => one.tag.localeCompare(two.tag));
  // The browser closes a notification by itself after some seconds. Then the messages are delivered again.
  await expect(async () => {
    await deliver(MESSAGE);
    await deliver(MESSAGE);
    await deliver(other);
    await expect.poll(byTag, { timeout: 5_000 }).toEqual([
      { title: MESSAGE.title, body, tag: "msg_1" },
      { title: other.title, body, tag: "msg_2" },
    ]);
  }).toPass({ timeout: 45_000 });
});

test("a push for a consumer who is no longer signed in is not shown", async ({ page }) => {
  const { deliver } = await openWithWorker(page);
  await page.evaluate(async () => {
    const cache = await caches.open("push-owner");
    await cache.put("/push-owner", new Response("con_2"));
  });
  const own = { ...MESSAGE, id: "msg_2", consumerId: "con_2" };
  await expect(async () => {
    await deliver({ ...MESSAGE, consumerId: "con_1" });
    await deliver(own);
    await expect
      .poll(async () => (await shown(page)).map(({ tag }) => tag), { timeout: 5_000 })
      .toEqual(["msg_2"]);
  }).toPass({ timeout: 45_000 });
});

test("its action stops push notifications without the app", async ({ page }) => {
  const { worker, deliver } = await openWithWorker(page);
  // The browser closes a notification by itself after some seconds. Then the message is delivered again.
  await expect(async () => {
    posts.length = 0;
    await deliver(MESSAGE);
    await expect.poll(() => shown(page), { timeout: 5_000 }).toHaveLength(1);
    await chooseStop(worker);
    await expect
      .poll(() => posts, { timeout: 5_000 })
      .toEqual(["/api/consumer/user/stop-notifications?token=p00ff"]);
  }).toPass({ timeout: 45_000 });
  await expect.poll(() => shown(page)).toEqual([]);
});

/** Dispatches the event of the action, because a click on a notification of the system cannot be driven. */
function chooseStop(worker: Worker): Promise<void> {
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerScope;
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification, action: "stop" }));
  });
}

/** The part of the worker's scope that the test uses; its types are not those of a page. */
interface ServiceWorkerScope {
  registration: { getNotifications(): Promise<unknown[]> };
  dispatchEvent(event: Event): boolean;
  NotificationEvent: new (type: string, options: { notification: unknown; action: string }) => Event;
}
