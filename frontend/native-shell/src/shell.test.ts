import { parse } from "valibot";
import { expect, it, vi } from "vitest";
import { receivedMessages, type sentMessages } from "../../src/native/catalog";
import { createShell, type Services } from "./shell";

function setUp(overrides: Partial<Services> = {}) {
  const services: Services = {
    device: "ios",
    version: "4.0.0",
    openUrl: vi.fn(async () => undefined),
    openMap: vi.fn(async () => undefined),
    share: vi.fn(async () => true),
    findPosition: vi.fn(async () => ({ latitude: 34.1, longitude: -118.3 })),
    pay: vi.fn(async () => "pm_1"),
    requestPushNotifications: vi.fn(async () => "token-1"),
    findPushToken: vi.fn(async () => null),
    requestReview: vi.fn(async () => true),
    recordScreen: vi.fn(),
    setConsumer: vi.fn(),
    reportError: vi.fn(),
    ...overrides,
  };
  const posted: { eventName: keyof typeof receivedMessages; detail: unknown }[] = [];
  const shell = createShell(services, (text) => posted.push(JSON.parse(text)));
  const receive = (eventName: string, detail: unknown = {}) =>
    shell.receive(JSON.stringify({ eventName, detail }));
  return { services, shell, posted, receive };
}

const consumer = {
  id: "c1",
  email: "",
  firstName: "Maya",
  lastName: "",
  phone: "+12135550142",
  shareCode: "M7",
  points: 5,
};

it("replies to each request of the app with a valid message", async () => {
  const { posted, receive, services } = setUp();
  await receive("ping", { protocolVersion: 1 });
  await receive("geo-request");
  await receive("share", { url: "https://order.example.com/receipt" });
  await receive("payment", { amount: 1250 });
  await receive("review-request");
  await receive("push-notification-request");
  expect(services.pay).toHaveBeenCalledWith(1250);
  expect(services.reportError).not.toHaveBeenCalled();
  expect(posted).toEqual([
    { eventName: "ping", detail: { device: "ios", version: "4.0.0" } },
    { eventName: "geo-request", detail: { latitude: 34.1, longitude: -118.3 } },
    { eventName: "share", detail: { shared: true } },
    { eventName: "payment", detail: { paymentMethodId: "pm_1" } },
    { eventName: "review-request", detail: { shown: true } },
    { eventName: "push-notification-request", detail: { token: "token-1" } },
  ]);
  for (const { eventName, detail } of posted) parse(receivedMessages[eventName], detail);
});

it("replies to requests that fail on the device", async () => {
  const fail = async () => {
    throw new Error("not available");
  };
  const failing = {
    findPosition: fail,
    share: fail,
    pay: fail,
    requestReview: fail,
    requestPushNotifications: fail,
  };
  const { posted, receive } = setUp(failing);
  await receive("ping", { protocolVersion: 1 });
  posted.length = 0;
  await receive("geo-request");
  await receive("share", { url: "https://order.example.com/receipt" });
  await receive("payment", { amount: 1250 });
  await receive("review-request");
  await receive("push-notification-request");
  expect(posted.map(({ detail }) => detail)).toEqual([
    { error: "unavailable" },
    { shared: false },
    { paymentMethodId: null },
    { shown: false },
    { token: null },
  ]);
});

it("opens links and maps, asks about notifications, and records screens", async () => {
  const { receive, services } = setUp();
  await receive("external-link", { url: "tel:+12135550100" });
  await receive("external-map-link", { url: "https://maps.example/dir", destination: "Sunset, 1 Main St" });
  await receive("push-notification-request");
  const screen = { pathname: "/orders/1", route: "/orders/$orderId", title: "Your order" };
  await receive("route-change", screen);
  expect(services.openUrl).toHaveBeenCalledWith("tel:+12135550100");
  expect(services.openMap).toHaveBeenCalledWith("Sunset, 1 Main St", "https://maps.example/dir");
  expect(services.requestPushNotifications).toHaveBeenCalledOnce();
  expect(services.recordScreen).toHaveBeenCalledWith(screen);
});

it("stores the consumer until the session ends", async () => {
  const { receive, services } = setUp();
  await receive("session", { signedIn: true });
  expect(services.setConsumer).not.toHaveBeenCalled();
  await receive("user", consumer);
  expect(services.setConsumer).toHaveBeenLastCalledWith(consumer);
  await receive("logout");
  expect(services.setConsumer).toHaveBeenLastCalledWith(null);
});

it("holds messages until the app listens", async () => {
  const { posted, receive, shell } = setUp();
  shell.navigate({ pathname: "/orders/1" });
  shell.enterSession("code-1");
  expect(posted).toEqual([]);
  await receive("ping", { protocolVersion: 1 });
  expect(posted.map(({ eventName }) => eventName)).toEqual(["ping", "navigate", "session"]);
  shell.navigate({ pathname: "/inbox", replace: true });
  expect(posted.at(-1)).toEqual({ eventName: "navigate", detail: { pathname: "/inbox", replace: true } });
});

it("sends the push token at each start of a signed-in consumer", async () => {
  const { posted, receive, services } = setUp({ findPushToken: async () => "token-1" });
  await receive("ping", { protocolVersion: 1 });
  await receive("session", { signedIn: false });
  expect(posted).toHaveLength(1);
  await receive("session", { signedIn: true });
  expect(posted.at(-1)).toEqual({ eventName: "push-notification-request", detail: { token: "token-1" } });
  expect(services.requestPushNotifications).not.toHaveBeenCalled();
});

it("holds messages while the web view loads another page, and drops replies to the page before", async () => {
  const pay = Promise.withResolvers<string>();
  const { posted, receive, shell } = setUp({ pay: () => pay.promise });
  await receive("ping", { protocolVersion: 1 });
  const payment = receive("payment", { amount: 500 });
  posted.length = 0;
  shell.startLoading();
  shell.navigate({ pathname: "/inbox" });
  pay.resolve("pm_1");
  await payment;
  expect(posted).toEqual([]);
  await receive("ping", { protocolVersion: 1 });
  expect(posted.map(({ eventName }) => eventName)).toEqual(["ping", "navigate"]);
});

it("takes a second ping for the load of another page", async () => {
  const pay = Promise.withResolvers<string>();
  const { posted, receive } = setUp({ pay: () => pay.promise });
  await receive("ping", { protocolVersion: 1 });
  const payment = receive("payment", { amount: 500 });
  await receive("ping", { protocolVersion: 1 });
  pay.resolve("pm_1");
  await payment;
  expect(posted.map(({ eventName }) => eventName)).toEqual(["ping", "ping"]);
});

it.each([
  ["an unknown message", { eventName: "format-disk", detail: {} }],
  ["an invalid amount", { eventName: "payment", detail: { amount: 12.5 } }],
  ["a link with another scheme", { eventName: "external-link", detail: { url: "javascript:alert(1)" } }],
])("reports %s and does nothing", async (_, message) => {
  const { posted, services, shell } = setUp();
  await shell.receive(JSON.stringify(message));
  expect(services.reportError).toHaveBeenCalledOnce();
  expect(services.pay).not.toHaveBeenCalled();
  expect(services.openUrl).not.toHaveBeenCalled();
  expect(posted).toEqual([]);
});

it("handles every message of the catalog", async () => {
  const details: Record<keyof typeof sentMessages, unknown> = {
    ping: { protocolVersion: 1 },
    session: { signedIn: false },
    user: consumer,
    logout: {},
    "route-change": { pathname: "/", route: "/", title: "" },
    "geo-request": {},
    share: { url: "https://order.example.com" },
    payment: { amount: 100 },
    "external-link": { url: "https://example.com" },
    "external-map-link": { url: "https://maps.example", destination: "Sunset" },
    "push-notification-request": {},
    "review-request": {},
  };
  const { receive, services } = setUp();
  for (const [name, detail] of Object.entries(details)) await receive(name, detail);
  expect(services.reportError).not.toHaveBeenCalled();
});
