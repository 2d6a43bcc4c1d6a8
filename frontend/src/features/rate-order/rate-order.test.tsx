import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { cart } from "@/testing/cart";
import { makeOrder } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";
import { toast } from "@/ui/toast";

const HOUR_MS = 3_600_000;
let orders = 0;

// At most three toasts show at a time, and they stay for longer than a test.
vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));
beforeEach(() => mockAccount());
afterEach(() => vi.mocked(toast).mockClear());

/** Stores a last order of this age, and counts the requests for its status. */
function placeLastOrder(status: Parameters<typeof makeOrder>[0], ageMs = HOUR_MS, overrides = {}) {
  orders += 1;
  const orderId = `order-to-rate-${orders}`;
  device.lastOrder.set({
    orderId,
    ts: new Date(Date.now() - ageMs).toISOString(),
    storeName: "Sunset & Maltman",
  });
  const requested: string[] = [];
  server.use(
    http.get("*/api/consumer/order/status", ({ request }) => {
      requested.push(new URL(request.url).searchParams.get("orderId") ?? "");
      const data = { ...makeOrder(status, { orderId, ...overrides }), providerScript: null };
      return HttpResponse.json({ success: true, data, errors: [] });
    }),
  );
  return { orderId, requested };
}

const openReminder = async (status: Parameters<typeof makeOrder>[0] = "Completed") => {
  const order = placeLastOrder(status);
  const app = await renderRoute("/account", { session: maya });
  const dialog = await screen.findByRole("dialog", { name: "Rate Your Order" });
  return { ...app, ...order, dialog };
};

/** Responds to feedback, and returns the requests. */
function acceptFeedback() {
  const sent: unknown[] = [];
  server.use(
    http.post("*/api/consumer/analytics/order-feedback", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ success: true, data: {}, errors: [], reason: "" });
    }),
  );
  return sent;
}

describe("the reminder", () => {
  it("opens the modal with store and date one hour after the order", async () => {
    const { dialog, requested, orderId } = await openReminder();
    expect(dialog).toHaveTextContent("Sunset & Maltman");
    expect(dialog).toHaveTextContent("Friday Nov 20, 08:26 AM");
    expect(requested).toEqual([orderId]);
  });

  it("fetches the status once and opens once", async () => {
    const { user, router, requested } = await openReminder();
    await user.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(device.lastOrder.get()).toBeNull();
    await router.navigate({ to: "/lp/error" });
    await router.navigate({ to: "/account" });
    expect(requested).toHaveLength(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("opens no reminder in the first hour", async () => {
    const { requested } = placeLastOrder("Completed", HOUR_MS - 60_000);
    await renderRoute("/account", { session: maya });
    await screen.findByRole("heading", { name: "Maya Okafor" });
    expect(requested).toEqual([]);
    expect(device.lastOrder.get()).not.toBeNull();
  });

  it("opens the reminder one hour after a promised time that the store changed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const readyAt = new Date(Date.now() + 10 * 60_000).toISOString();
    const eta = { readyAt, scheduled: false, timeZone: "America/Los_Angeles" };
    const { requested, orderId } = placeLastOrder("Preparing", HOUR_MS, { eta });
    const { router } = await renderRoute("/account", { session: maya });
    await waitFor(() => expect(device.lastOrder.get()).toMatchObject({ orderId, ts: readyAt }));
    expect(screen.queryByRole("dialog")).toBeNull();
    vi.setSystemTime(Date.parse(readyAt) + HOUR_MS);
    router.history.push("/account?from=email");
    expect(await screen.findByRole("dialog", { name: "Rate Your Order" })).toBeInTheDocument();
    expect(requested).toEqual([orderId, orderId]);
  });

  it("opens the reminder after a change of the search parameters only", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { requested } = placeLastOrder("Completed", HOUR_MS - 60_000);
    const { router } = await renderRoute("/account", { session: maya });
    await screen.findByRole("heading", { name: "Maya Okafor" });
    expect(requested).toEqual([]);
    vi.setSystemTime(Date.now() + 60_000);
    router.history.push("/account?from=email");
    expect(await screen.findByRole("dialog", { name: "Rate Your Order" })).toBeInTheDocument();
    expect(requested).toHaveLength(1);
  });

  it("opens no reminder without a session", async () => {
    const { requested } = placeLastOrder("Completed");
    await renderRoute("/sign-in/getting-started");
    await screen.findByRole("heading", { level: 1 });
    expect(requested).toEqual([]);
    expect(device.lastOrder.get()).not.toBeNull();
  });

  it("opens no reminder on landing pages, but on the next page", async () => {
    const { requested } = placeLastOrder("Completed");
    const { router } = await renderRoute("/lp/error", { session: maya });
    await screen.findByRole("heading", { level: 1 });
    expect(requested).toEqual([]);
    await router.navigate({ to: "/account" });
    await screen.findByRole("dialog", { name: "Rate Your Order" });
    expect(requested).toHaveLength(1);
  });

  it.each(["Cancelled", "Rejected"] as const)(
    "drops the reminder of an order that was %s",
    async (status) => {
      placeLastOrder(status);
      await renderRoute("/account", { session: maya });
      await waitFor(() => expect(device.lastOrder.get()).toBeNull());
      expect(screen.queryByRole("dialog")).toBeNull();
    },
  );

  it("drops the reminder of an order that was rated on another device", async () => {
    placeLastOrder("Completed", HOUR_MS, { isRated: true });
    await renderRoute("/account", { session: maya });
    await waitFor(() => expect(device.lastOrder.get()).toBeNull());
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("the modal", () => {
  it("requires a rating", async () => {
    const { user } = await openReminder();
    const sent = acceptFeedback();
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    expect(await screen.findByText("Please select a rating")).toBeInTheDocument();
    expect(sent).toEqual([]);
    await user.click(screen.getByRole("radio", { name: "3 stars" }));
    expect(screen.queryByText("Please select a rating")).toBeNull();
  });

  it("sends the coded answers without an empty message, confirms and closes", async () => {
    const { user, orderId } = await openReminder();
    const sent = acceptFeedback();
    await user.click(screen.getByRole("radio", { name: "4 stars" }));
    const [ready] = screen.getAllByRole("radio", { name: "Yes" });
    const [, lineSkipped] = screen.getAllByRole("radio", { name: "No" });
    await user.click(ready as HTMLElement);
    await user.click(lineSkipped as HTMLElement);
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith("Feedback submitted", "success"));
    expect(sent).toEqual([{ orderId, rating: 4, feedbackOrderReady: 1, feedbackOrderCorrect: -1 }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(device.lastOrder.get()).toBeNull();
  });

  it("requests a review in a native shell after a good rating", async () => {
    const postMessage = vi.fn();
    window.ReactNativeWebView = { postMessage };
    const { user } = await openReminder();
    acceptFeedback();
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    await waitFor(() =>
      expect(postMessage).toHaveBeenCalledExactlyOnceWith('{"eventName":"review-request","detail":{}}'),
    );
    window.dispatchEvent(new CustomEvent("review-request", { detail: { shown: true } }));
    await waitFor(() => expect(device.reviewRequested.get()).toBe(true));
    delete window.ReactNativeWebView;
  });

  it("sends unanswered questions as 0, and the message", async () => {
    const { user, orderId } = await openReminder("Ready");
    const sent = acceptFeedback();
    await user.click(screen.getByRole("radio", { name: "1 star" }));
    await user.type(screen.getByLabelText("Anything to add? (optional)"), " Cold. ");
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith("Feedback submitted", "success"));
    expect(sent).toEqual([
      { orderId, rating: 1, feedbackOrderReady: 0, feedbackOrderCorrect: 0, message: "Cold." },
    ]);
  });

  it("stays open if the server could not store the feedback", async () => {
    const { user } = await openReminder();
    server.use(
      mockPostError("/analytics/order-feedback", {
        status: 200,
        reason: "UNAVAILABLE",
        errors: ["Failed to submit feedback. Please try again"],
      }),
    );
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    const failed = "Failed to submit feedback. Please try again";
    await waitFor(() => expect(toast).toHaveBeenCalledWith(failed, "error"));
    expect(screen.getByRole("radio", { name: "5 stars" })).toBeChecked();
    expect(device.lastOrder.get()).not.toBeNull();
  });

  it.each(["OVERLOADED", "UNAVAILABLE"])("stays open if the gateway responds %s", async (reason) => {
    const { user } = await openReminder();
    server.use(
      mockPostError("/analytics/order-feedback", {
        status: 503,
        reason,
        errors: ["We're very busy right now."],
      }),
    );
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    const failed = "Failed to submit feedback. Please try again";
    await waitFor(() => expect(toast).toHaveBeenCalledExactlyOnceWith(failed, "error"));
    expect(screen.getByRole("radio", { name: "5 stars" })).toBeChecked();
  });

  it("stays open and keeps the cart if the connection was lost", async () => {
    cartItem.set(cart);
    server.use(mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })));
    const { user } = await openReminder();
    server.use(http.post("*/api/consumer/analytics/order-feedback", () => HttpResponse.error()));
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    const offline = "You're offline. Try again once you're connected.";
    await waitFor(() => expect(toast).toHaveBeenCalledExactlyOnceWith(offline, "error"));
    expect(screen.getByRole("radio", { name: "5 stars" })).toBeChecked();
    expect(cartItem.get().items).toEqual(cart.items);
  });

  it("runs the generic handler for an unexpected error", async () => {
    const { user, router } = await openReminder();
    server.use(mockPostError("/analytics/order-feedback", { status: 500 }));
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/lp/error"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("explains why an order cannot be rated", async () => {
    const { user } = await openReminder();
    const sentence = "You can rate an order when it's ready.";
    server.use(
      mockPostError("/analytics/order-feedback", {
        status: 200,
        reason: "ORDER_NOT_COMPLETED",
        errors: [sentence],
      }),
    );
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith(sentence, "error"));
    expect(screen.getByRole("dialog", { name: "Rate Your Order" })).toBeInTheDocument();
  });

  it("closes if the order was rated on another device", async () => {
    const { user } = await openReminder();
    server.use(mockPostError("/analytics/order-feedback", { status: 200, reason: "FEEDBACK_ALREADY_SENT" }));
    await user.click(screen.getByRole("radio", { name: "5 stars" }));
    await user.click(screen.getByRole("button", { name: "Send feedback" }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith("You've already rated this order."));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(device.lastOrder.get()).toBeNull();
  });
});
