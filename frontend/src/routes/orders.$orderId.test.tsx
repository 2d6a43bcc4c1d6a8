import { act, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { GetData } from "@/api/contract";
import { LATE_POLL_INTERVAL_MS, POLL_INTERVAL_MS } from "@/features/orders/poll-interval";
import type { Order, Status } from "@/features/orders/queries";
import { cents } from "@/lib/money";
import { cartItem } from "@/state/cart";
import { cart, cartOptions, quote } from "@/testing/cart";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, server } from "@/testing/server";

async function openOrder(order: Order, script: Parameters<typeof mockOrderStatus>[1] = null) {
  server.use(
    mockOrderStatus(order, script),
    mockGet("/user/orders", { orders: [order] }),
    mockGetError("/store/card", { status: 503 }),
  );
  const app = await renderRoute("/orders/order-1", { session: maya });
  await screen.findByRole("heading", { level: 1 });
  return app;
}

it("shows promised time, steps and pickup code, and announces the status", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T16:35:00Z"), toFake: ["Date"] });
  await openOrder(makeOrder("Preparing"));
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Ready 8:40");
  expect(screen.getByText("K 47")).toBeInTheDocument();
  expect(screen.getByRole("list", { name: "Order progress" }).children).toHaveLength(4);
  const announcements = screen.getAllByRole("status").map(({ textContent }) => textContent);
  expect(announcements).toContain("Being made, ready 8:40. Sunset & Maltman.");
});

/** An order that the store moved from 8:40 to this time while it was scheduled. */
function makeMovedOrder(status: Status, readyAt: string, overrides: Partial<Order> = {}): Order {
  const order = makeOrder(status);
  const move = { status: "Scheduled" as const, at: "2026-11-19T16:30:00Z", by: "store" as const, readyAt };
  const eta = { readyAt, scheduled: true, timeZone: "America/Los_Angeles" };
  return { ...order, eta, history: [move, ...order.history], ...overrides };
}

it("shows the new time of a scheduled order that the store moved", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-19T16:35:00Z"), toFake: ["Date"] });
  await openOrder(
    makeMovedOrder("Scheduled", "2026-11-20T17:30:00Z", { delayReason: "Our opening hours changed." }),
  );
  expect(screen.getByText(/Sunset & Maltman moved your order: ready tomorrow at 9:30\./)).toBeInTheDocument();
  expect(screen.getByText("Our opening hours changed.")).toBeInTheDocument();
});

it("does not call a move a delay once the order is being made", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T16:10:00Z"), toFake: ["Date"] });
  const { unmount } = await openOrder(makeMovedOrder("Placed", "2026-11-20T16:20:00Z"));
  expect(
    screen.getByText(/moved your order: ready today at 8:20\. If that .* cancel it\./),
  ).toBeInTheDocument();
  expect(screen.queryByText(/longer/)).toBeNull();
  unmount();
  await openOrder(makeMovedOrder("Preparing", "2026-11-20T17:30:00Z"));
  expect(screen.getByText(/moved your order: ready today at 9:30\.$/)).toBeInTheDocument();
  expect(screen.queryByText(/longer/)).toBeNull();
});

it("compares the time of a delay with the time to which the order was moved", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T17:10:00Z"), toFake: ["Date"] });
  const eta = { readyAt: "2026-11-20T17:45:00Z", scheduled: true, timeZone: "America/Los_Angeles" };
  await openOrder(makeMovedOrder("Preparing", "2026-11-20T17:30:00Z", { eta }));
  expect(screen.getByText(/needs a little longer: ready 9:45 instead of 9:30\./)).toBeInTheDocument();
  expect(screen.queryByText(/moved your order/)).toBeNull();
});

describe("an order that takes longer", () => {
  it("shows the new time, the first promise and the reason", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T16:35:00Z"), toFake: ["Date"] });
    const eta = { readyAt: "2026-11-20T16:50:00Z", scheduled: false, timeZone: "America/Los_Angeles" };
    await openOrder(makeOrder("Preparing", { eta, delayReason: "The grinder is down." }));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Ready 8:50");
    expect(
      screen.getByText(/Sunset & Maltman needs a little longer: ready 8:50 instead of 8:40./),
    ).toBeInTheDocument();
    expect(screen.getByText("The grinder is down.")).toBeInTheDocument();
    const announcements = screen.getAllByRole("status").map(({ textContent }) => textContent);
    expect(announcements).toContain("Being made, ready 8:50. Sunset & Maltman.");
  });

  it("is late in the list of orders", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T16:41:00Z"), toFake: ["Date"] });
    const late = makeOrder("Accepted");
    server.use(mockGet("/user/orders", { orders: [late] }));
    await renderRoute("/orders", { session: maya, activeOrders: [late] });
    expect(await screen.findByText("Running late")).toBeInTheDocument();
    expect(screen.queryByText("Ready 8:40")).toBeNull();
  });

  it("warns before the consumer leaves that a late order is not ready", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T16:41:00Z"), toFake: ["Date"] });
    await openOrder(makeOrder("Accepted"));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Running late");
    expect(screen.getByText(/Your order isn't ready yet. Wait before you leave/)).toBeInTheDocument();
  });

  it("warns before the promised time if the store has not started the order", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T16:38:00Z"), toFake: ["Date"] });
    const { unmount } = await openOrder(makeOrder("Accepted", { startAt: "2026-11-20T16:36:00Z" }));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Ready 8:40");
    expect(screen.getByText(/Check here again before you leave/)).toBeInTheDocument();
    unmount();
    await openOrder(makeOrder("Preparing", { startAt: "2026-11-20T16:36:00Z" }));
    expect(screen.queryByText(/before you leave/)).toBeNull();
  });

  it("is not late in the promised minute, or when it is ready", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T16:40:59Z"), toFake: ["Date"] });
    const { unmount } = await openOrder(makeOrder("Accepted"));
    expect(screen.queryByText(/isn't ready yet/)).toBeNull();
    unmount();
    vi.setSystemTime("2026-11-20T17:40:00Z");
    await openOrder(makeOrder("Ready"));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("It's ready");
    expect(screen.queryByText(/isn't ready yet/)).toBeNull();
  });
});

describe("an order that was picked up", () => {
  it("opens the rating with the pressed star", async () => {
    const { user } = await openOrder(makeOrder("Completed"));
    await user.click(screen.getByRole("button", { name: "4 stars" }));
    const dialog = await screen.findByRole("dialog", { name: "Rate Your Order" });
    expect(within(dialog).getByRole("radio", { name: "4 stars" })).toBeChecked();
  });

  it("is rated once", async () => {
    await openOrder(makeOrder("Completed", { isRated: true }));
    expect(screen.queryByText("How was it?")).toBeNull();
  });

  it("shows no pickup code", async () => {
    await openOrder(makeOrder("Completed"));
    expect(screen.queryByText(/K 47/)).toBeNull();
  });
});

it("cannot be rated before it is picked up", async () => {
  await openOrder(makeOrder("Ready"));
  expect(screen.getByText("Look for K 47")).toBeInTheDocument();
  expect(screen.queryByText("How was it?")).toBeNull();
});

it("notifies the store that the consumer is here", async () => {
  const { user } = await openOrder(makeOrder("Ready"));
  server.use(
    mockPost("/order/user-arrived", () =>
      makeOrder("Ready", { arrivedAt: "2026-11-20T16:39:00Z", version: 9 }),
    ),
  );
  await user.click(screen.getByRole("button", { name: "I'm here" }));
  expect(await screen.findByText("The store knows you're here.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "I'm here" })).toBeNull();
});

it("cancels before the store accepts, and explains the refund", async () => {
  const { user } = await openOrder(makeOrder("Placed"));
  await user.click(screen.getByRole("button", { name: "Cancel order" }));
  await screen.findByRole("dialog", { name: "Cancel this order?" });
  const canceled = makeOrder("Cancelled", {
    version: 9,
    reason: "CONSUMER_CANCELLED",
    message: "You canceled this order. You weren't charged.",
  });
  server.use(
    mockPost("/order/cancel", () => canceled),
    mockOrderStatus(canceled),
  );
  const [confirm] = screen.getAllByRole("button", { name: "Cancel order" }).slice(-1);
  await user.click(confirm as HTMLElement);
  expect(await screen.findByRole("heading", { name: "Your payment" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Canceled");
  expect(screen.getAllByText("Canceled", { selector: "header *" })).toHaveLength(1);
  // Once on the screen, and in no toast, which would cover the heading.
  expect(screen.getAllByText(/You weren't charged/)).toHaveLength(1);
});

describe("an order with a payment to authenticate", () => {
  const pending = makeOrder("PaymentPending", { clientSecret: "pi_1_secret_1", placedAt: null });
  const script = { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" };

  it("continues the payment", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-20T16:30:00Z"), toFake: ["Date"] });
    const { user } = await openOrder(pending, script);
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Not paid yet");
    const placed = makeOrder("Placed", { version: 9 });
    const handleNextAction = vi.fn(async () => {
      server.use(mockOrderStatus(placed));
      return {};
    });
    window.Stripe = () => ({ handleNextAction }) as unknown as ReturnType<NonNullable<typeof window.Stripe>>;
    await user.click(screen.getByRole("button", { name: "Confirm payment" }));
    await screen.findByRole("heading", { level: 1, name: /^Ready 8:40/ });
    expect(handleNextAction).toHaveBeenCalledExactlyOnceWith({ clientSecret: "pi_1_secret_1" });
    delete window.Stripe;
  });

  it("can be canceled", async () => {
    const { user } = await openOrder(pending, script);
    await user.click(screen.getByRole("button", { name: "Cancel order" }));
    await screen.findByText("Your order isn't placed yet. You won't be charged.");
    const canceled = makeOrder("Cancelled", { version: 9 });
    server.use(
      mockPost("/order/cancel", () => canceled),
      mockOrderStatus(canceled),
    );
    const [confirm] = screen.getAllByRole("button", { name: "Cancel order" }).slice(-1);
    await user.click(confirm as HTMLElement);
    expect(await screen.findByRole("heading", { level: 1, name: "Canceled" })).toBeInTheDocument();
  });

  it("is an active order in the list", async () => {
    server.use(
      mockGet("/user/orders", { orders: [] }),
      mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
    );
    await renderRoute("/orders", { session: maya, activeOrders: [pending] });
    const list = await screen.findByRole("region", { name: "Active orders" });
    expect(list).toHaveTextContent("Confirm your payment");
  });
});

it("fetches a late order again although the stream is connected and reports no change", async () => {
  class ConnectedStream extends EventTarget {
    constructor() {
      super();
      setTimeout(() => this.dispatchEvent(new Event("open")));
    }
    close() {}
  }
  vi.stubGlobal("EventSource", ConnectedStream);
  const order = makeOrder("Preparing");
  vi.useFakeTimers({ now: Date.parse(order.eta?.readyAt ?? "") + 60_000, shouldAdvanceTime: true });
  await openOrder(order);
  await act(() => vi.advanceTimersByTimeAsync(1));
  server.use(mockOrderStatus(makeOrder("Ready", { version: 9 })));
  await act(() => vi.advanceTimersByTimeAsync(2 * POLL_INTERVAL_MS));
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Running late");
  await act(() => vi.advanceTimersByTimeAsync(LATE_POLL_INTERVAL_MS));
  expect(await screen.findByRole("heading", { level: 1, name: "It's ready" })).toBeInTheDocument();
  vi.unstubAllGlobals();
});

it("shows why the store rejected the order", async () => {
  await openOrder(makeOrder("Rejected", { message: "We ran out of oat milk." }));
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Not made");
  expect(screen.getByText("We ran out of oat milk.")).toBeInTheDocument();
});

/** Responds to "Order again" with the lines of the order and these changes. */
function mockRepeat(order: Order, changes: GetData<"/order/repeat">["changes"], hasItems = true) {
  return mockGet("/order/repeat", {
    cart: {
      cartId: "",
      storeId: order.storeId,
      items: hasItems
        ? order.lines.map(({ lineId, itemId, sizeId, quantity, note }) => ({
            lineId,
            itemId,
            sizeId,
            quantity,
            note,
            choices: [],
          }))
        : [],
      pickup: "counter",
      schedule: null,
      promo: { code: "", type: "fixed", value: 0 },
      tipAmount: 0,
    },
    problems: [],
    priceChanged: changes.length > 0,
    changes,
  });
}

it("opens checkout with the same items for the price that the button shows", async () => {
  const order = makeOrder("Completed");
  const { user, router } = await openOrder(order);
  server.use(
    mockRepeat(order, []),
    mockGet("/cart/data", { cart: null, savedAt: null, quote: null, changes: [] }),
    mockPost("/order/pricing", () => quote),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
    mockGet("/payments/list", { paymentMethods: [visa] }),
    mockGet("/store/cart-options", cartOptions),
  );
  // Without the tip of the previous order.
  await user.click(screen.getByRole("button", { name: "Order again · $10.40" }));
  await screen.findByRole("heading", { name: "Checkout" });
  expect(router.state.location.pathname).toBe("/checkout");
  expect(cartItem.get().items).toMatchObject([{ name: "Iced latte", sizeName: "Medium", unitPrice: 950 }]);
});

const priceChange = {
  lineId: "line-1",
  itemName: "Iced latte",
  reason: "PRICE_CHANGED",
  message: "Iced latte is now $10.00 instead of $9.50.",
  before: cents(950),
  after: cents(1000),
};

it("opens the cart if it has other items", async () => {
  cartItem.set({ ...cart, items: cart.items.map((line) => ({ ...line, itemId: "item-mocha" })) });
  const order = makeOrder("Completed");
  // The cart of the device may be saved at any time.
  server.use(mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })));
  const { user } = await openOrder(order);
  server.use(
    mockRepeat(order, []),
    mockGet("/cart/data", { cart: null, savedAt: null, quote: null, changes: [] }),
    mockPost("/order/pricing", () => quote),
  );
  await user.click(screen.getByRole("button", { name: /^Order again/ }));
  await screen.findByRole("heading", { name: "Your cart" });
  expect(cartItem.get().items).toHaveLength(2);
});

it("lists changes before it adds items to the cart", async () => {
  const order = makeOrder("Completed");
  const { user } = await openOrder(order);
  server.use(
    mockRepeat(order, [priceChange]),
    mockGet("/cart/data", { cart: null, savedAt: null, quote: null, changes: [] }),
    mockPost("/order/pricing", () => quote),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
    mockGet("/payments/list", { paymentMethods: [visa] }),
    mockGet("/store/cart-options", cartOptions),
  );
  await user.click(screen.getByRole("button", { name: /^Order again/ }));
  await screen.findByRole("dialog", { name: "Some items changed" });
  expect(screen.getByRole("list", { name: "Changes" })).toHaveTextContent(
    "Iced latte is now $10.00 instead of $9.50.",
  );
  expect(cartItem.get().items).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Add to cart" }));
  await screen.findByRole("heading", { name: "Checkout" });
  expect(cartItem.get().items).toHaveLength(1);
});

it("offers no items to add if all are unavailable", async () => {
  const order = makeOrder("Completed");
  const { user } = await openOrder(order);
  const gone = { ...priceChange, reason: "ITEM_SOLD_OUT", message: "Iced latte is sold out.", after: null };
  server.use(mockRepeat(order, [gone], false));
  await user.click(screen.getByRole("button", { name: /^Order again/ }));
  await screen.findByRole("dialog", { name: "Nothing left to order" });
  expect(screen.queryByRole("button", { name: "Add to cart" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(cartItem.get().items).toEqual([]);
});
