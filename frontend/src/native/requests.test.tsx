import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { modals } from "@/shell/modals";
import { device } from "@/state/device";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { isDue, offerNotifications } from "./push";
import { requestReview } from "./review";

const postMessage = vi.fn();
const sent = () => postMessage.mock.calls.map(([text]) => JSON.parse(text));

beforeEach(() => {
  postMessage.mockReset();
  window.ReactNativeWebView = { postMessage };
});

afterEach(() => {
  delete window.ReactNativeWebView;
});

describe("the push request", () => {
  async function openOrder() {
    const order = makeOrder("Accepted");
    server.use(
      mockOrderStatus(order, null),
      mockGet("/user/orders", { orders: [order] }),
      mockGetError("/store/card", { status: 503 }),
    );
    const app = await renderRoute("/orders/order-1", { session: maya });
    await screen.findByRole("heading", { level: 1 });
    return app;
  }
  const placeOrder = (orderId: string) =>
    device.lastOrder.set({ orderId, ts: new Date().toISOString(), storeName: "Sunset" });

  it("is offered on the new order, and sent once the consumer accepts", async () => {
    placeOrder("order-1");
    const { router, user } = await openOrder();
    const stop = offerNotifications(router);
    await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));
    expect(sent()).toEqual([{ eventName: "push-notification-request", detail: {} }]);
    expect(device.pushRequestAccepted.get()).toBe(true);
    expect(isDue(new Date("2030-01-01"))).toBe(false);
    stop();
  });

  it("is not sent if the consumer declines, and not offered again for 30 days", async () => {
    placeOrder("order-1");
    const { router, user } = await openOrder();
    const stop = offerNotifications(router);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(sent()).toEqual([]);
    device.lastPushRequest.set("2026-11-01");
    expect(isDue(new Date("2026-11-30T23:00:00Z"))).toBe(false);
    expect(isDue(new Date("2026-12-01T00:00:00Z"))).toBe(true);
    stop();
  });

  it("is not offered on an older order", async () => {
    placeOrder("order-2");
    const { router } = await openOrder();
    const stop = offerNotifications(router);
    expect(modals.isOpen()).toBe(false);
    expect(device.lastPushRequest.get()).toBeNull();
    stop();
  });
});

describe("the review request", () => {
  const reply = (shown: boolean) =>
    act(async () => void window.dispatchEvent(new CustomEvent("review-request", { detail: { shown } })));

  it("is sent after a good rating, once", async () => {
    const request = requestReview(5);
    await waitFor(() => expect(sent()).toEqual([{ eventName: "review-request", detail: {} }]));
    await reply(true);
    await request;
    expect(device.reviewRequested.get()).toBe(true);
    await requestReview(5);
    expect(sent()).toHaveLength(1);
  });

  it("is sent again if the app store showed no dialog", async () => {
    const request = requestReview(4);
    await reply(false);
    await request;
    expect(device.reviewRequested.get()).toBe(false);
  });

  it("is not sent after a bad rating", async () => {
    await requestReview(3);
    expect(sent()).toEqual([]);
  });
});
