import { act, screen, waitFor } from "@testing-library/react";
import { delay, HttpResponse, http, type RequestHandler } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PostData } from "@/api/contract";
import type { PlaceOrderRequest } from "@/features/checkout/attempt";
import { checkoutKeys } from "@/features/checkout/queries";
import type { Order } from "@/features/orders/queries";
import type { PaymentMethod } from "@/features/payment-methods/queries";
import { cents } from "@/lib/money";
import { paymentMethodKeys } from "@/shell/queries";
import { attemptItem } from "@/state/attempt";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { selectedCard } from "@/state/selected-card";
import { cart, cartOptions, quote } from "@/testing/cart";
import { makeOrder, mockOrderStatus } from "@/testing/order";
import { makeMethod } from "@/testing/payment-method";
import { mockPaymentSheet, mockProvider } from "@/testing/provider";
import { maya, renderRoute } from "@/testing/render-route";
import { type MockError, mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const visa = makeMethod("pay_visa", "card", { institutionName: "visa", last4: "4242", expDate: "08/28" });
const pass = makeMethod("bal_1", "joebucks", { displayName: "JoePass", amount: 2460, isDefault: true });

const firstValley = makeMethod("pay_bank", "bank", { institutionName: "First Valley Bank", last4: "7731" });

/** Before the promised time of the orders. */
const NOW = Date.parse("2026-11-20T16:30:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"], shouldAdvanceTime: true });
  cartItem.set(cart);
  attemptItem.clear();
});

async function openCheckout(methods: PaymentMethod[] = [visa], options = cartOptions) {
  server.use(
    mockPost("/order/pricing", () => quote),
    mockGet("/payments/list", { paymentMethods: methods }),
    mockGet("/store/cart-options", options),
    mockOrderStatus(makeOrder("Placed")),
    mockGet("/user/orders", { orders: [] }),
    mockGetError("/store/card", { status: 404 }),
    mockGetError("/cart/data", { status: 404 }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  const app = await renderRoute("/checkout", { session: maya });
  const place = () => screen.findByRole("button", { name: /^Place order/ });
  await waitFor(async () => expect(await place()).toBeEnabled());
  return { ...app, press: async () => app.user.click(await place()), place };
}

type Reply = Order & Partial<Pick<PostData<"/order/create">, "providerScript">>;

/** Responds to each attempt with the next reply. The last reply repeats. */
function mockPlaceOrder(...replies: (MockError | Reply)[]): PlaceOrderRequest[] {
  const sent: PlaceOrderRequest[] = [];
  server.use(
    http.post("*/api/consumer/order/create", async ({ request }) => {
      const reply = replies[Math.min(sent.length, replies.length - 1)];
      sent.push((await request.json()) as PlaceOrderRequest);
      if (reply && "orderId" in reply) {
        const data = { providerScript: null, ...reply, placedAt: new Date().toISOString() };
        return HttpResponse.json({ success: true, data, errors: [] });
      }
      const { status = 500, ...body } = reply ?? {};
      return HttpResponse.json({ success: false, data: null, errors: [], reason: "", ...body }, { status });
    }),
  );
  return sent;
}

/** Errors that another payment method may resolve. */
const paymentErrors = new Set(["CARD_DECLINED", "INSUFFICIENT_FUNDS", "PAYMENT_METHOD_UNKNOWN"]);

describe("placing an order", () => {
  it("shows total and promised time, sends the displayed quote, and clears the cart afterwards", async () => {
    const { press, place, router } = await openCheckout();
    expect(await place()).toHaveTextContent(/^Place order · \$12\.40 · ready /);
    const sent = mockPlaceOrder(makeOrder("Placed"));
    await press();
    await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
    expect(await screen.findByRole("heading", { level: 1, name: /^Ready/ })).toBeInTheDocument();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      cart: { cartId: cart.cartId, storeId: cart.storeId, tipAmount: 200 },
      paymentMethod: { type: "card", paymentMethodId: "pay_visa" },
      expectedTotal: quote.total,
      expectedReadyAt: quote.eta?.readyAt,
      pickupName: "Maya",
    });
    await waitFor(() => expect(cartItem.get().items).toEqual([]));
    expect(device.lastOrder.get()).toMatchObject({ orderId: "order-1", storeName: cart.storeName });
    expect(device.idempotency.get()).toEqual({});
  });

  it.each([
    ["CARD_DECLINED", "Your card was declined."],
    ["INSUFFICIENT_FUNDS", "This card doesn't have enough money on it."],
    ["PAYMENT_METHOD_UNKNOWN", "This payment method is no longer available. Choose another one."],
    ["ORDER_NOT_PLACED", "We couldn't place your order. You weren't charged; please try again."],
    ["STORE_CLOSED", "This store is closed right now."],
  ])(
    "explains a rejection (%s), keeps the cart, and uses a new key for the next attempt",
    async (reason, message) => {
      const { press } = await openCheckout();
      const sent = mockPlaceOrder({ status: 422, reason, errors: [message] }, makeOrder("Placed"));
      await press();
      const alert = await screen.findByText(message, { exact: false });
      expect(alert).toHaveTextContent(/your cart is still here/i);
      expect(alert.textContent?.match(/charged/g)).toHaveLength(1);
      expect(alert.textContent?.match(/choose another/gi)?.length ?? 0).toBe(
        paymentErrors.has(reason) ? 1 : 0,
      );
      expect(cartItem.get().items).toHaveLength(1);
      await press();
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
    },
  );

  it("sends the consumer to their orders if the attempt was sent before with another cart", async () => {
    const { press } = await openCheckout();
    const message = "You already sent a different order a moment ago. Check your orders, then try again.";
    mockPlaceOrder({ status: 409, reason: "IDEMPOTENCY_KEY_REUSED", errors: [message] });
    await press();
    const alert = await screen.findByText(message, { exact: false });
    expect(alert).not.toHaveTextContent(/charged/);
    expect(alert).toHaveTextContent(/your cart is still here/i);
  });

  it("explains failed payments until they are paid", async () => {
    const { press, user } = await openCheckout();
    const failed = {
      paymentIntentId: "dbt_1",
      created: "2026-11-14T16:12:00Z",
      name: "Hillhurst Ave",
      orderId: "order-1",
      total: cents(1185),
      insufficientFundsPenaltyFee: cents(500),
      items: [],
    };
    server.use(
      mockGet("/payment/failed-payments", { list: [failed], totalOwed: 1685, recoveredOrderIds: [] }),
      mockPost("/payment/update-failed-payments", () => ({
        recovered: ["dbt_1"],
        failed: [],
        totalOwed: 0,
        clientSecret: null,
        providerScript: null,
      })),
    );
    mockPlaceOrder({ status: 403, message: "failed_ach_payments", reason: "FAILED_ACH_PAYMENTS" });
    await press();
    expect(await screen.findByText("You have failed payment.")).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: /^Pay \$16\.85/ }));
    await waitFor(() => expect(screen.queryByText("You have failed payment.")).not.toBeInTheDocument());
    expect(cartItem.get().items).toHaveLength(1);
  });

  it("replaces a payment method that no longer exists", async () => {
    const { press } = await openCheckout([visa, { ...pass, isDefault: false, amount: 0 }]);
    expect(await screen.findByRole("button", { name: /^Pay with Visa/ })).toBeInTheDocument();
    mockPlaceOrder({
      status: 422,
      reason: "PAYMENT_METHOD_UNKNOWN",
      errors: ["This payment method is no longer available. Choose another one."],
    });
    server.use(
      mockGet("/payments/list", { paymentMethods: [makeMethod("pay_amex", "card", { last4: "0005" })] }),
    );
    await press();
    expect(await screen.findByText(/Choose another one/)).toBeInTheDocument();
    expect(await screen.findByRole("button", { name: /^Pay with .*0005/ })).toBeInTheDocument();
  });

  it.each([
    ["a 503", { status: 503 }],
    ["an internal error", { status: 500 }],
  ])("repeats the same request after %s", async (_, error) => {
    const { press, user } = await openCheckout();
    const sent = mockPlaceOrder(error, makeOrder("Placed"));
    await press();
    expect(await screen.findByText(/you won't be charged twice/)).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: /^Try again · / }));
    await screen.findByRole("heading", { level: 1, name: /^Ready/ });
    expect(sent[1]).toEqual(sent[0]);
  });

  describe("after a lost response to an order that was placed", () => {
    it("repeats the request although the order holds the balance", async () => {
      const { press, user, queryClient } = await openCheckout([{ ...pass, amount: 1500 }]);
      const sent = mockPlaceOrder({ status: 503 }, makeOrder("Placed"));
      await press();
      const retry = await screen.findByRole("button", { name: /^Try again · / });
      server.use(mockGet("/payments/list", { paymentMethods: [{ ...pass, amount: 260 }] }));
      await act(() => queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all }));
      await screen.findByRole("button", { name: /^Pay with JoePass.*\$2\.60/ });
      await user.click(retry);
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(sent[1]).toEqual(sent[0]);
    });

    it.each([
      ["closed", { lineId: "", reason: "STORE_CLOSED", message: "This store is closed." }],
      ["sold an item out", { lineId: "line-1", reason: "ITEM_SOLD_OUT", message: "Latte is sold out." }],
    ])("repeats the request although the store has %s", async (_, problem) => {
      const { press, user, queryClient } = await openCheckout();
      const sent = mockPlaceOrder({ status: 503 }, makeOrder("Placed"));
      await press();
      await screen.findByRole("button", { name: /^Try again · / });
      server.use(mockPost("/order/pricing", () => ({ ...quote, eta: null, problems: [problem] })));
      await act(() => queryClient.invalidateQueries({ queryKey: checkoutKeys.quotes }));
      const retry = await screen.findByRole("button", { name: "Try again · $12.40" });
      expect(retry).toBeEnabled();
      await user.click(retry);
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(sent[1]).toEqual(sent[0]);
    });
  });

  it("reports a new order as such if the clock of the device is fast", async () => {
    const { press, router } = await openCheckout();
    const placedAt = new Date(Date.now() - 600_000).toISOString();
    const order = makeOrder("Placed", { cartId: cart.cartId, placedAt });
    server.use(
      mockPost("/order/create", () => ({ ...order, providerScript: null })),
      mockGet("/order/active-orders", { orders: [order] }),
    );
    await press();
    await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
    await screen.findByRole("heading", { level: 1, name: /^Ready/ });
    expect(screen.queryByText("You already placed this order.")).toBeNull();
  });

  it("shows a confirmation when the price changed", async () => {
    const { press, user } = await openCheckout();
    const changed = { ...quote, total: { ...quote.total, currencyAmount: 1310 } };
    const sent = mockPlaceOrder(
      { status: 409, reason: "PRICE_CHANGED", data: { quote: changed } },
      makeOrder("Placed"),
    );
    await press();
    const sheet = await screen.findByRole("dialog", { name: "Your total changed" });
    expect(sheet).toHaveTextContent("$12.40");
    expect(sent).toHaveLength(1);
    const accept = Array.from(sheet.querySelectorAll("button")).find((b) =>
      b.textContent?.includes("$13.10"),
    );
    await user.click(accept as HTMLButtonElement);
    await screen.findByRole("heading", { level: 1, name: /^Ready 8:40/ });
    expect(sent[1]?.expectedTotal.currencyAmount).toBe(1310);
    expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
  });

  it("shows a changed price at checkout if a promo code was rejected", async () => {
    cartItem.set({ ...cart, promo: { ...cart.promo, code: "EXPIRED1" } });
    const { press, user } = await openCheckout();
    const changed = { ...quote, total: { ...quote.total, currencyAmount: 1310 } };
    const rejected = { promoReason: "PROMO_EXPIRED", promoMessage: "This code has expired." };
    server.use(mockPost("/order/pricing", () => ({ ...quote, ...rejected })));
    act(() => cartItem.set((now) => ({ ...now, tipAmount: 190 })));
    await screen.findByText("This code has expired.");
    server.use(mockPost("/order/pricing", () => ({ ...changed, ...rejected })));
    const sent = mockPlaceOrder({ status: 409, reason: "PRICE_CHANGED", data: { quote: changed } });
    await press();
    await screen.findByRole("dialog", { name: "Your total changed" });
    expect(sent[0]?.cart.promo.code).toBe("");
    await user.click(screen.getByRole("button", { name: "Back to checkout" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    // Before the next regular update, which comes after 30 seconds.
    await screen.findByRole("button", { name: /^Place order · \$13\.10/ }, { timeout: 10_000 });
  });

  it("authenticates the payment and repeats the request with the same key", async () => {
    const { press } = await openCheckout();
    const handleNextAction = vi.fn(async () => ({}));
    mockProvider({ handleNextAction });
    const createSetupIntent = vi.fn();
    server.use(http.post("*/api/stripe/card/secret", createSetupIntent));
    const providerScript = { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" };
    const sent = mockPlaceOrder(
      { ...makeOrder("PaymentPending", { clientSecret: "pi_1_secret_1" }), providerScript },
      // The server still processes the webhook of the provider.
      { status: 503 },
      makeOrder("Placed"),
    );
    await press();
    await screen.findByRole("heading", { name: /^Ready/, level: 1 });
    expect(handleNextAction).toHaveBeenCalledExactlyOnceWith({ clientSecret: "pi_1_secret_1" });
    // The address of the script comes with the order.
    expect(createSetupIntent).not.toHaveBeenCalled();
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  describe("if the cart was ordered already", () => {
    const others = [
      makeOrder("Placed", { orderId: "order-2", cartId: "cart-2", createdAt: new Date(NOW).toISOString() }),
    ];
    const mockCartOrdered = () =>
      mockPlaceOrder({ status: 409, reason: "CART_ORDERED", errors: ["This cart was ordered already."] });

    it("opens the order of this cart, not another order at the store", async () => {
      const { press, router } = await openCheckout();
      mockCartOrdered();
      const ordered = makeOrder("Placed", { cartId: cart.cartId });
      server.use(mockGet("/order/active-orders", { orders: [...others, ordered] }));
      await press();
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(router.state.location.pathname).toBe("/orders/order-1");
      await waitFor(() => expect(cartItem.get().items).toEqual([]));
      expect(await screen.findAllByText("You already placed this order.")).toHaveLength(1);
    });

    it("keeps what was added after the order in a new cart, and says so", async () => {
      const [line] = cart.items;
      const added = { ...(line as (typeof cart.items)[number]), lineId: "line-2" };
      cartItem.set({ ...cart, items: [...cart.items, added] });
      const { press, router } = await openCheckout();
      mockCartOrdered();
      const ordered = makeOrder("Placed", { cartId: cart.cartId });
      server.use(mockGet("/order/active-orders", { orders: [ordered] }));
      await press();
      await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
      await waitFor(() => expect(cartItem.get().items).toEqual([added]));
      expect(cartItem.get().cartId).not.toBe(cart.cartId);
      expect(
        await screen.findByText("You already placed this order. The other items are still in your cart."),
      ).toBeInTheDocument();
    });

    it("keeps the cart if no order has it", async () => {
      const { press, router } = await openCheckout();
      mockCartOrdered();
      server.use(mockGet("/order/active-orders", { orders: others }));
      await press();
      expect(await screen.findByText(/A payment for this cart is still in progress/)).toBeInTheDocument();
      expect(router.state.location.pathname).toBe("/checkout");
    });

    it("opens an order with a pending payment, and keeps the cart", async () => {
      const { press, router } = await openCheckout();
      mockCartOrdered();
      const pending = makeOrder("PaymentPending", { cartId: cart.cartId, clientSecret: "pi_1_secret_1" });
      server.use(mockGet("/order/active-orders", { orders: [...others, pending] }), mockOrderStatus(pending));
      await press();
      await screen.findByRole("heading", { level: 1, name: "Not paid yet" });
      expect(router.state.location.pathname).toBe("/orders/order-1");
      expect(cartItem.get().items).toHaveLength(1);
    });

    const yesterday = new Date(NOW - 86_400_000).toISOString();
    const ended = makeOrder("Completed", { cartId: cart.cartId, placedAt: yesterday });
    const wasOrdered = {
      ...makeOrder("Placed", { cartId: cart.cartId, placedAt: yesterday }),
      providerScript: null,
    };

    /** Loses the response to a first attempt, and sends the second one. */
    async function repeat({ press, user }: Awaited<ReturnType<typeof openCheckout>>, reply: RequestHandler) {
      server.use(mockPostError("/order/create", { status: 503 }));
      await press();
      const retry = await screen.findByRole("button", { name: /^Try again/ });
      server.use(reply);
      await user.click(retry);
    }

    it.each([
      [
        "rejects the cart as ordered",
        mockPostError("/order/create", { status: 409, reason: "CART_ORDERED" }),
      ],
      ["sends the order of the first attempt", mockPost("/order/create", () => wasOrdered)],
    ])("orders it again after its order has ended, if the server %s", async (_, reply) => {
      const app = await openCheckout();
      const { press, router } = app;
      server.use(mockGet("/user/orders", { orders: [...others, ended] }));
      await repeat(app, reply);
      const alert = await screen.findByText("You already ordered this cart yesterday.");
      expect(alert.parentElement).toHaveTextContent("Tap again to order it once more.");
      expect(router.state.location.pathname).toBe("/checkout");
      expect(cartItem.get().items).toHaveLength(1);
      const sent = mockPlaceOrder(makeOrder("Placed"));
      await press();
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(sent[0]?.cart.cartId).not.toBe(cart.cartId);
      expect(sent[0]?.cart.items).toHaveLength(1);
    });

    it("opens the order of a previous attempt while it is active", async () => {
      const app = await openCheckout();
      server.use(mockGet("/order/active-orders", { orders: [{ ...ended, status: "Scheduled" }] }));
      await repeat(
        app,
        mockPost("/order/create", () => wasOrdered),
      );
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(app.router.state.location.pathname).toBe("/orders/order-1");
    });
  });

  it("opens the order that another tab has just placed, which is not among the active ones yet", async () => {
    const { press, router } = await openCheckout();
    const order = makeOrder("Scheduled", { cartId: cart.cartId });
    server.use(
      mockPostError("/order/create", { status: 409, reason: "CART_ORDERED" }),
      mockGet("/order/active-orders", { orders: [] }),
      mockGet("/user/orders", { orders: [order] }),
    );
    await press();
    await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
    expect(await screen.findByText("You already placed this order.")).toBeInTheDocument();
  });

  describe("if the consumer leaves before the response", () => {
    const placed = { success: true, data: { ...makeOrder("Placed"), providerScript: null }, errors: [] };
    const declined = {
      success: false,
      data: null,
      errors: ["Your card was declined."],
      reason: "CARD_DECLINED",
    };

    /** Places the order and leaves. Returns a function that sends the response. */
    async function leave(to: "/lp/error" | "/cart", reply: typeof placed | typeof declined) {
      const app = await openCheckout();
      const [requested, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      server.use(
        http.post("*/api/consumer/order/create", async () => {
          requested.resolve();
          await held.promise;
          return HttpResponse.json<object>(reply, { status: reply.success ? 200 : 422 });
        }),
      );
      await app.press();
      await requested.promise;
      await app.router.navigate({ to });
      await waitFor(() => expect(screen.queryByRole("heading", { name: "Checkout" })).toBeNull());
      return { ...app, respond: held.resolve };
    }

    it("clears the ordered cart and shows that the order is placed", async () => {
      const { respond, router } = await leave("/lp/error", placed);
      respond();
      expect(await screen.findByText("Order placed")).toBeInTheDocument();
      expect(router.state.location.pathname).toBe("/lp/error");
      expect(cartItem.get().items).toEqual([]);
      expect(device.lastOrder.get()).toMatchObject({ orderId: "order-1" });
    });

    it("opens the order from the cart", async () => {
      const { respond, router } = await leave("/cart", placed);
      respond();
      await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
      await waitFor(() => expect(cartItem.get().items).toEqual([]));
    });

    it("keeps items that another tab added during the request", async () => {
      const { respond } = await leave("/lp/error", placed);
      const [line] = cart.items;
      const added = { ...(line as (typeof cart.items)[number]), lineId: "line-2" };
      cartItem.set({ ...cart, items: [...cart.items, added] });
      respond();
      await screen.findByText("Order placed");
      await waitFor(() => expect(cartItem.get().items).toEqual([added]));
      expect(cartItem.get().cartId).not.toBe(cart.cartId);
    });

    it("shows that it is not placed, and leads back to checkout", async () => {
      const { respond, router, user } = await leave("/lp/error", declined);
      respond();
      expect(await screen.findByText("Order not placed. Your card was declined.")).toBeInTheDocument();
      expect(cartItem.get().items).toHaveLength(1);
      await user.click(screen.getByRole("button", { name: "Back to checkout" }));
      await screen.findByRole("heading", { name: "Checkout" });
      expect(router.state.location.pathname).toBe("/checkout");
    });

    it("leads to the order if the bank's authentication is missing", async () => {
      const order = { ...makeOrder("PaymentPending"), cartId: cart.cartId };
      const { respond, router, user } = await leave("/lp/error", {
        ...declined,
        reason: "CART_ORDERED",
      });
      server.use(mockGet("/order/active-orders", { orders: [order] }), mockOrderStatus(order));
      respond();
      expect(await screen.findByText("Confirm your payment first.")).toBeInTheDocument();
      await user.click(screen.getByRole("button", { name: "View order" }));
      await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
    });
  });

  it("requires a payment method", async () => {
    const { queryClient } = await openCheckout();
    server.use(mockGet("/payments/list", { paymentMethods: [] }));
    await queryClient.invalidateQueries({ queryKey: paymentMethodKeys.all });
    expect(await screen.findByText("Payment method is required")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Add a card to pay" })).toBeInTheDocument();
  });

  it("explains at sign-in that the session ended, and keeps the cart", async () => {
    const { press, router } = await openCheckout();
    mockPlaceOrder({ status: 401, reason: "UNAUTHENTICATED" });
    server.use(mockGetError("/user/profile", { status: 401, reason: "UNAUTHENTICATED" }));
    await press();
    expect(await screen.findByText(/^Your session ended/)).toHaveTextContent("Your cart is still here.");
    expect(router.state.location.search).toEqual({ next: "/checkout", reason: "session-ended" });
    expect(cartItem.get().items).toHaveLength(1);
  });

  it.each(["/checkout", "/cart"] as const)(
    "opens the order from %s when another tab placed it",
    async (path) => {
      const { router } = await openCheckout();
      await router.navigate({ to: path });
      await screen.findByRole("heading", { name: path === "/cart" ? "Your cart" : "Checkout" });
      act(() => {
        // As the other tab does, in this order.
        device.lastOrder.set({ orderId: "order-1", ts: "", storeName: cart.storeName, cartId: cart.cartId });
        cartItem.clear();
      });
      await screen.findByRole("heading", { level: 1, name: /^Ready/ });
      expect(router.state.location.pathname).toBe("/orders/order-1");
      expect(await screen.findAllByText("You already placed this order.")).toHaveLength(1);
    },
  );
});

it("preselects JoePass with a balance and shows the remaining balance", async () => {
  const { user } = await openCheckout([visa, pass]);
  const trigger = screen.getByRole("button", { name: /^Pay with JoePass/ });
  expect(trigger).toHaveTextContent("Default");
  expect(trigger).toHaveTextContent("$24.60, $12.20 left after this order");
  await user.click(trigger);
  await screen.findByRole("dialog", { name: "Pay with" });
  expect(screen.getByRole("link", { name: "Add a card or bank account" })).toHaveAttribute(
    "href",
    "/account/add-payment?userId=consumer-maya&next=%2Fcheckout",
  );
  await user.click(screen.getByRole("radio", { name: /Visa ending 4242/ }));
  await user.click(screen.getByRole("button", { name: "Okay" }));
  expect(await screen.findByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeInTheDocument();
});

it("lists the method of the last order after JoePass", async () => {
  device.preferredPaymentMethod.set("pay_bank");
  const { user } = await openCheckout([visa, firstValley, pass]);
  await user.click(await screen.findByRole("button", { name: /^Pay with JoePass/ }));
  await screen.findByRole("dialog", { name: "Pay with" });
  const names = screen.getAllByRole("radio").map((radio) => radio.getAttribute("value"));
  expect(names.slice(0, 3)).toEqual(["bal_1", "pay_bank", "pay_visa"]);
});

describe("a balance below the total", () => {
  const amex = makeMethod("pay_amex", "card", { institutionName: "amex", last4: "0005", expDate: "08/28" });
  const low = { ...pass, amount: 93 };

  it("pays first, and a card pays the rest", async () => {
    const { press, user } = await openCheckout([low, visa, amex]);
    expect(await screen.findByRole("button", { name: /^Pay with JoePass/ })).toBeInTheDocument();
    expect(
      await screen.findByRole("heading", { name: "$0.93 from JoePass, and $11.47 with" }),
    ).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: /^Pay the rest with Visa ending 4242/ }));
    await screen.findByRole("dialog", { name: "Pay the rest with" });
    await user.click(screen.getByRole("radio", { name: /Amex ending 0005/ }));
    await user.click(screen.getByRole("button", { name: "Okay" }));
    await screen.findByRole("button", { name: /^Pay the rest with Amex ending 0005/ });
    const sent = mockPlaceOrder(makeOrder("Placed"));
    await press();
    await screen.findByRole("heading", { level: 1, name: /^Ready/ });
    expect(sent[0]).toMatchObject({
      paymentMethod: { type: "card", paymentMethodId: "pay_amex" },
      storedValue: { paymentMethodId: "bal_1", amount: { currencyAmount: 93 } },
    });
  });

  it("charges at least the minimum of a card", async () => {
    const { press } = await openCheckout([{ ...pass, amount: 1235 }, visa]);
    expect(
      await screen.findByRole("heading", { name: "$11.90 from JoePass, and $0.50 with" }),
    ).toBeInTheDocument();
    const sent = mockPlaceOrder(makeOrder("Placed"));
    await press();
    await screen.findByRole("heading", { level: 1, name: /^Ready/ });
    expect(sent[0]?.storedValue?.amount.currencyAmount).toBe(1190);
  });

  it("is not used if the consumer chooses a card for the whole order", async () => {
    const { press, user } = await openCheckout([low, visa]);
    await user.click(await screen.findByRole("button", { name: /^Pay with JoePass/ }));
    await screen.findByRole("dialog", { name: "Pay with" });
    await user.click(screen.getByRole("radio", { name: /Visa ending 4242/ }));
    await user.click(screen.getByRole("button", { name: "Okay" }));
    await screen.findByRole("button", { name: /^Pay with Visa ending 4242/ });
    expect(screen.queryByRole("button", { name: /^Pay the rest with/ })).toBeNull();
    const sent = mockPlaceOrder(makeOrder("Placed"));
    await press();
    await screen.findByRole("heading", { level: 1, name: /^Ready/ });
    expect(sent[0]).toMatchObject({ paymentMethod: { paymentMethodId: "pay_visa" }, storedValue: null });
  });
});

it("rejects a JoePass with insufficient balance if no card can pay the rest", async () => {
  const { press } = await openCheckout([{ ...pass, amount: 93 }, firstValley]);
  const sent = mockPlaceOrder(makeOrder("Placed"));
  await press();
  const trigger = screen.getByRole("button", { name: /^Pay with JoePass/ });
  expect(trigger).toHaveAccessibleDescription("JoePass is $11.47 short. Choose another way to pay.");
  expect(trigger).toHaveFocus();
  expect(sent).toEqual([]);
});

it("shows why the quote failed and retries", async () => {
  const { user, queryClient } = await openCheckout();
  server.use(mockPostError("/order/pricing", { status: 503 }));
  queryClient.removeQueries({ queryKey: checkoutKeys.quotes });
  cartItem.set((current) => ({ ...current, tipAmount: 100 }));
  expect(await screen.findByText(/isn't available right now/)).toBeInTheDocument();
  // The selection can still be changed.
  expect(screen.getByRole("radiogroup", { name: "Tip" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Place order" })).toBeDisabled();
  server.use(mockPost("/order/pricing", () => quote));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("button", { name: /^Place order · \$12/ })).toBeEnabled());
});

it("removes the error of a low balance when a promo code makes the total lower", async () => {
  const { press, user } = await openCheckout([{ ...pass, amount: 724 }, firstValley]);
  await press();
  const error = "JoePass is $5.16 short. Choose another way to pay.";
  expect(screen.getByRole("button", { name: /^Pay with JoePass/ })).toHaveAccessibleDescription(error);
  const discounted = { ...quote, discount: cents(950), tax: cents(0), total: cents(190) };
  server.use(mockPost("/order/pricing", () => discounted));
  await user.click(screen.getByRole("button", { name: "Add promo code" }));
  await user.type(screen.getByLabelText("Promo code"), "free1");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  await screen.findByRole("button", { name: /^Place order · \$1\.90/ });
  expect(screen.queryByText(error)).toBeNull();
});

it("shows discount and points of a reward, and why it does not apply", async () => {
  const { queryClient, user } = await openCheckout();
  const rewarded = { ...quote, discount: cents(100), tax: cents(0), total: cents(1040) };
  server.use(mockPost("/order/pricing", () => rewarded));
  act(() => cartItem.set((current) => ({ ...current, promo: { ...current.promo, code: "REWARD250" } })));
  expect(await screen.findByText(": $1.00 off for 250 points", { exact: false })).toHaveTextContent(
    "Your reward: $1.00 off for 250 points",
  );
  expect(screen.getByText("Reward", { selector: "dt" })).toBeInTheDocument();
  expect(screen.queryByText(/REWARD250/)).toBeNull();

  const promoMessage = "Rewards are for drinks. Add one to use yours.";
  server.use(mockPost("/order/pricing", () => ({ ...quote, promoReason: "REWARD_NO_DRINK", promoMessage })));
  await queryClient.invalidateQueries({ queryKey: checkoutKeys.quotes });
  expect(await screen.findByText(promoMessage, { exact: false })).toHaveTextContent(
    `Your reward: ${promoMessage}`,
  );
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(cartItem.get().promo.code).toBe("");
});

it("offers a consumer with an empty JoePass only to add a card", async () => {
  server.use(
    mockPost("/order/pricing", () => quote),
    mockGet("/payments/list", { paymentMethods: [{ ...pass, amount: 0 }] }),
    mockGet("/store/cart-options", cartOptions),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  await renderRoute("/checkout", { session: maya });
  expect(await screen.findByRole("link", { name: "Add a card to pay" })).toHaveAttribute(
    "href",
    "/account/add-credit-card?userId=consumer-maya&next=%2Fcheckout",
  );
  expect(screen.queryByRole("button", { name: /^Place order/ })).toBeNull();
});

it("keeps the label's size while the order is being placed", async () => {
  const { press } = await openCheckout();
  server.use(http.post("*/api/consumer/order/create", () => delay("infinite")));
  await press();
  const button = await screen.findByRole("button", { name: "Placing your order" });
  // The hidden label keeps its lines.
  expect(button).toHaveTextContent(/^Place order · \$12\.40 · ready .*Placing your order$/);
});

it("places no order with a tip that is not an amount", async () => {
  const { press, user } = await openCheckout();
  const sent = mockPlaceOrder(makeOrder("Placed"));
  await user.click(await screen.findByRole("radio", { name: "Other" }));
  const field = screen.getByRole("textbox", { name: "Tip amount" });
  await user.clear(field);
  await user.type(field, "abc");
  await press();
  expect(field).toHaveAccessibleDescription("Enter an amount, like 2.50.");
  expect(field).toHaveFocus();
  expect(sent).toEqual([]);
  await user.clear(field);
  await user.type(field, "1.50");
  await press();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.cart.tipAmount).toBe(150);
});

it("sets a tip as a percentage of the order", async () => {
  const { user } = await openCheckout();
  await user.click(await screen.findByRole("radio", { name: /^20%/ }));
  expect(cartItem.get().tipAmount).toBe(190);
  await user.click(screen.getByRole("radio", { name: "No tip" }));
  expect(cartItem.get().tipAmount).toBe(0);
});

it("keeps a percentage, and requests no more quotes, if the quote with the tip fails", async () => {
  const { user } = await openCheckout();
  server.use(mockPost("/order/pricing", () => ({ ...quote, subtotal: cents(1000) })));
  await user.click(await screen.findByRole("radio", { name: /^10%/ }));
  await screen.findByRole("radio", { name: /^15%.*\$1\.50/ });
  const respond = vi.fn(() => ({ success: false, data: null, errors: ["Closed."], reason: "STORE_CLOSED" }));
  server.use(http.post("*/order/pricing", () => HttpResponse.json(respond(), { status: 422 })));
  await user.click(screen.getByRole("radio", { name: /^15%/ }));
  expect(await screen.findByText("Closed.")).toBeInTheDocument();
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(cartItem.get().tipAmount).toBe(150);
  expect(respond).toHaveBeenCalledTimes(1);
});

it("shows unavailable items before payment", async () => {
  const { queryClient } = await openCheckout();
  const problem = { lineId: "line-1", reason: "CHOICE_SOLD_OUT", message: "Oat milk is sold out." };
  server.use(mockPost("/order/pricing", () => ({ ...quote, problems: [problem] })));
  await queryClient.invalidateQueries({ queryKey: checkoutKeys.quotes });
  expect(await screen.findByText("Oat milk is sold out.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Update your cart" })).toHaveAttribute("href", "/cart");
});

it("shows why there is no pickup time and why a promo code is rejected", async () => {
  const { user, queryClient } = await openCheckout();
  await user.click(screen.getByRole("button", { name: "Add promo code" }));
  server.use(
    mockPost("/order/pricing", () => ({
      ...quote,
      promoReason: "PROMO_EXPIRED",
      promoMessage: "This code has expired.",
    })),
  );
  await user.type(screen.getByLabelText("Promo code"), "expired1");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("This code has expired.")).toBeInTheDocument();
  server.use(
    mockPostError("/order/pricing", {
      status: 422,
      reason: "STORE_CLOSED",
      errors: ["Closed until 7:00 AM."],
    }),
  );
  await queryClient.invalidateQueries({ queryKey: checkoutKeys.quotes });
  expect(await screen.findByText("Closed until 7:00 AM.")).toBeInTheDocument();
});

it("offers the tips and the payment types of the store", async () => {
  const bank = makeMethod("pay_bank", "bank", { institutionName: "Harbor Bank", last4: "6789" });
  const { user } = await openCheckout([visa, bank], {
    ...cartOptions,
    tip: { percents: [0, 12, 18, 25], maxAmount: 10_000 },
    paymentTypes: ["card"],
  });
  expect(await screen.findByRole("radio", { name: /^18%/ })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: /^Pay with/ }));
  await screen.findByRole("dialog", { name: "Pay with" });
  expect(screen.getByRole("radio", { name: /4242/ })).toBeInTheDocument();
  expect(screen.queryByRole("radio", { name: /6789/ })).toBeNull();
});

describe("Google Pay", () => {
  const openWithSheet = async () => {
    const sheet = mockPaymentSheet();
    server.use(
      mockGet("/api/stripe/script", {
        publishableKey: "pk_test",
        scriptUrl: "https://provider.example/v1/js",
      }),
    );
    const app = await openCheckout([], { ...cartOptions, paymentTypes: ["card", "google"] });
    await screen.findByRole("button", { name: /^Pay with Google Pay/ });
    return { ...app, sheet };
  };
  afterEach(() => vi.unstubAllGlobals());

  it("opens the payment sheet and places the order with its payment", async () => {
    const { press, sheet, router } = await openWithSheet();
    const sent = mockPlaceOrder(makeOrder("Placed"));
    await press();
    expect(sheet.update).toHaveBeenCalledWith({ total: { label: cart.storeName, amount: 1240 } });
    expect(sent).toEqual([]);
    sheet.confirm("pm_google");
    await waitFor(() => expect(router.state.location.pathname).toBe("/orders/order-1"));
    expect(sent[0]?.paymentMethod).toEqual({
      type: "google",
      paymentMethodId: "",
      walletPaymentMethodId: "pm_google",
    });
  });

  it("keeps the cart when the consumer cancels", async () => {
    const { press, sheet, place } = await openWithSheet();
    await press();
    sheet.cancel();
    await waitFor(async () => expect(await place()).not.toHaveAttribute("aria-busy"));
    expect(cartItem.get().items).toHaveLength(1);
  });

  it("repeats a lost attempt with the same payment and without a second sheet", async () => {
    const { press, sheet, user } = await openWithSheet();
    const sent = mockPlaceOrder({ status: 500 }, makeOrder("Placed"));
    await press();
    sheet.confirm("pm_google");
    await user.click(await screen.findByRole("button", { name: /^Try again/ }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    expect(sheet.show).toHaveBeenCalledOnce();
  });
});

it("ignores a stored-value card that was selected for another store", async () => {
  const gift = makeMethod("bal_9", "joebucks", { displayName: "Gift card", amount: 3000 });
  selectedCard.set({ cardId: "bal_9", storeId: "store-other", companyId: null });
  await openCheckout([{ ...pass, amount: 2460 }, gift]);
  expect(await screen.findByRole("button", { name: /^Pay with JoePass/ })).toBeInTheDocument();
  act(() => selectedCard.set({ cardId: "bal_9", storeId: cart.storeId, companyId: null }));
  expect(await screen.findByRole("button", { name: /^Pay with Gift card/ })).toBeInTheDocument();
  act(() => selectedCard.set(null));
});
