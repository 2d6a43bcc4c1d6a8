import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { orderQuery } from "@/features/orders/queries";
import { deviceZone } from "@/lib/time";
import { report } from "@/shell/error-reports";
import { modals } from "@/shell/modals";
import { sessionQuery } from "@/shell/queries";
import { device } from "@/state/device";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, server } from "@/testing/server";
import { settings } from "@/testing/settings";
import { followSession, isDue, offerNotifications } from "./notifications";

vi.mock("@/shell/error-reports", () => ({ report: vi.fn() }));

const KEY = "BEl62iUYgUivxIkv69yViEuiBIa";

const postMessage = vi.fn();
const sent = () => postMessage.mock.calls.map(([text]) => JSON.parse(text));

async function openOrder() {
  const order = makeOrder("Accepted");
  server.use(
    mockOrderStatus(order, null),
    mockGet("/user/orders", { orders: [order] }),
    mockGet("/user/settings", { ...settings, timeZone: deviceZone(), pushKey: KEY }),
    mockGetError("/store/card", { status: 503 }),
  );
  const app = await renderRoute("/orders/order-1", { session: maya });
  await screen.findByRole("heading", { level: 1 });
  return app;
}

const placeOrder = (orderId: string) =>
  device.lastOrder.set({ orderId, ts: new Date().toISOString(), storeName: "Sunset" });

afterEach(() => {
  delete window.ReactNativeWebView;
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

describe("in the native app", () => {
  beforeEach(() => {
    postMessage.mockReset();
    window.ReactNativeWebView = { postMessage };
  });

  it("offers notifications on the new order, and sends the request after the consumer accepts", async () => {
    placeOrder("order-1");
    const { router, queryClient, user } = await openOrder();
    const stop = offerNotifications(router, queryClient);
    await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));
    await waitFor(() => expect(sent()).toEqual([{ eventName: "push-notification-request", detail: {} }]));
    expect(device.pushRequestAccepted.get()).toBe(true);
    expect(isDue(new Date("2030-01-01"))).toBe(false);
    stop();
  });

  it("sends no request if the consumer declines, and offers it again after 30 days", async () => {
    placeOrder("order-1");
    const { router, queryClient, user } = await openOrder();
    const stop = offerNotifications(router, queryClient);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(sent()).toEqual([]);
    device.lastPushRequest.set("2026-11-01");
    expect(isDue(new Date("2026-11-30T23:00:00Z"))).toBe(false);
    expect(isDue(new Date("2026-12-01T00:00:00Z"))).toBe(true);
    stop();
  });

  it("closes the offer when the order ends", async () => {
    placeOrder("order-1");
    const { router, queryClient } = await openOrder();
    const stop = offerNotifications(router, queryClient);
    await screen.findByRole("button", { name: "Turn on notifications" });
    queryClient.setQueryData(orderQuery("order-1").queryKey, makeOrder("Cancelled"));
    await waitFor(() => expect(modals.isOpen()).toBe(false));
    stop();
  });

  it("offers no notifications on a previous order", async () => {
    placeOrder("order-2");
    const { router, queryClient } = await openOrder();
    const stop = offerNotifications(router, queryClient);
    expect(modals.isOpen()).toBe(false);
    expect(device.lastPushRequest.get()).toBeNull();
    stop();
  });
});

describe("in a browser", () => {
  /** Stubs the browser's push service, which needs the network. */
  function stubPush(permission: NotificationPermission) {
    const toJSON = () => ({ endpoint: "https://push.example.com/1", keys: { p256dh: "key", auth: "auth" } });
    const subscribe = vi.fn(async () => ({ toJSON }));
    vi.stubGlobal("PushManager", class {});
    vi.stubGlobal("Notification", { permission, requestPermission: async () => "granted" });
    const ready = Promise.resolve({ pushManager: { subscribe } });
    Object.defineProperty(navigator, "serviceWorker", { value: { ready }, configurable: true });
    return subscribe;
  }

  function receiveSubscriptions(): unknown[] {
    const received: unknown[] = [];
    server.use(
      mockPost("/user/save-push-subscription", (body) => {
        received.push(body);
        return {};
      }),
    );
    return received;
  }

  it("offers notifications on the new order and registers the browser", async () => {
    const subscribe = stubPush("default");
    const received = receiveSubscriptions();
    placeOrder("order-1");
    const { router, queryClient, user } = await openOrder();
    const stop = offerNotifications(router, queryClient);
    await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));
    await waitFor(() =>
      expect(received).toEqual([
        { web: { endpoint: "https://push.example.com/1", keys: { p256dh: "key", auth: "auth" } } },
      ]),
    );
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY });
    expect(device.pushRequestAccepted.get()).toBe(true);
    stop();
  });

  it("offers no notifications if the browser has stored an answer", async () => {
    stubPush("denied");
    placeOrder("order-1");
    const { router, queryClient } = await openOrder();
    const stop = offerNotifications(router, queryClient);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(modals.isOpen()).toBe(false);
    expect(device.lastPushRequest.get()).toBeNull();
    stop();
  });

  /** Stubs the storage of the owner, who is Ada at first. */
  function stubOwner(match: (key: string) => Promise<Response>): Map<string, string> {
    const stored = new Map([["/push-owner", "consumer-ada"]]);
    const put = async (key: string, response: Response) => void stored.set(key, await response.text());
    vi.stubGlobal("caches", { open: async () => ({ match, put }) });
    return stored;
  }

  it("registers the browser also if the owner cannot be stored, and reports the error", async () => {
    stubPush("granted");
    const received = receiveSubscriptions();
    const broken = new Error("storage is broken");
    stubOwner(() => Promise.reject(broken));
    const { queryClient } = await openOrder();
    const stop = followSession(queryClient);
    await waitFor(() => expect(received).toHaveLength(1));
    expect(report).toHaveBeenCalledWith(broken);
    stop();
  });

  it("stores the owners one after the other, and registers only the last one", async () => {
    stubPush("granted");
    const received = receiveSubscriptions();
    const slow = Promise.withResolvers<void>();
    const match = vi.fn(async () => new Response(""));
    match.mockImplementationOnce(async () => {
      await slow.promise;
      return new Response("");
    });
    const stored = stubOwner(match);
    const { queryClient } = await openOrder();
    const stop = followSession(queryClient);
    await waitFor(() => expect(match).toHaveBeenCalledOnce());
    queryClient.setQueryData(sessionQuery.queryKey, null);
    slow.resolve();
    await waitFor(() => expect(match).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(stored.get("/push-owner")).toBe(""));
    expect(received).toEqual([]);
    stop();
  });

  it("stops the messages of the previous consumer before it registers the browser for the next one", async () => {
    stubPush("granted");
    const stored = stubOwner(async (key) => new Response(stored.get(key)));
    const steps: string[] = [];
    const unsubscribe = async () => void steps.push("unsubscribe");
    Object.assign(navigator.serviceWorker, {
      getRegistration: async () => ({ pushManager: { getSubscription: async () => ({ unsubscribe }) } }),
    });
    server.use(
      mockPost("/user/save-push-subscription", () => {
        steps.push("register");
        return {};
      }),
    );
    const { queryClient } = await openOrder();
    const stop = followSession(queryClient);
    await waitFor(() => expect(steps).toEqual(["unsubscribe", "register"]));
    expect(stored.get("/push-owner")).toBe(maya.id);
    queryClient.setQueryData(sessionQuery.queryKey, null);
    await waitFor(() => expect(steps).toEqual(["unsubscribe", "register", "unsubscribe"]));
    expect(stored.get("/push-owner")).toBe("");
    stop();
  });

  it("registers a browser with permission for the session of the next sign-in", async () => {
    stubPush("granted");
    const received = receiveSubscriptions();
    const { queryClient } = await openOrder();
    const stop = followSession(queryClient);
    await waitFor(() => expect(received).toHaveLength(1));
    stop();
  });
});
