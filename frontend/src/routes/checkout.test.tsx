import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PostData } from "@/api/contract";
import { attemptItem, type PlaceBody } from "@/features/checkout/attempt";
import type { Order } from "@/features/orders/queries";
import type { PaymentMethod } from "@/features/payment-methods/queries";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { cart, quote } from "@/testing/cart";
import { makeOrder } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { type MockError, mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const method = (
  id: string,
  type: PaymentMethod["type"],
  more: Partial<PaymentMethod> = {},
): PaymentMethod => ({
  id,
  paymentMethodId: id,
  type,
  displayName: id,
  name: "",
  amount: null,
  isDefault: false,
  expired: false,
  companyId: null,
  companyName: null,
  expDate: null,
  institutionName: null,
  last4: null,
  accountType: null,
  ...more,
});
const visa = method("pay_visa", "card", { institutionName: "visa", last4: "4242", expDate: "08/28" });
const pass = method("bal_1", "joebucks", { displayName: "JoePass", amount: 2460, isDefault: true });

beforeEach(() => {
  cartItem.set(cart);
  attemptItem.clear();
});

async function openCheckout(methods: PaymentMethod[] = [visa]) {
  server.use(
    mockPost("/order/pricing", () => quote),
    mockGet("/payments/list", { paymentMethods: methods }),
    mockGet("/store/pickup-options", {
      counter: true,
      curbside: false,
      earliestAt: "2026-11-20T16:40:00Z",
      slots: [],
      timeZone: cart.timeZone,
    }),
    mockGet("/order/status", makeOrder("Placed")),
    mockGet("/user/orders", { orders: [] }),
    mockGetError("/store/card", { status: 404 }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
  const app = await renderRoute("/checkout", { session: maya });
  // The button says the result, and can be pressed once it knows what to say.
  const place = () => screen.findByRole("button", { name: /^Place order/ });
  await waitFor(async () => expect(await place()).toBeEnabled());
  return { ...app, press: async () => app.user.click(await place()), place };
}

type Reply = Order & Partial<Pick<PostData<"/order/create">, "providerScript">>;

/** Answers one attempt after another; the last answer stays. */
function placing(...replies: (MockError | Reply)[]): PlaceBody[] {
  const sent: PlaceBody[] = [];
  server.use(
    http.post("*/api/consumer/order/create", async ({ request }) => {
      const reply = replies[Math.min(sent.length, replies.length - 1)];
      sent.push((await request.json()) as PlaceBody);
      if (reply && "orderId" in reply) {
        return HttpResponse.json({ success: true, data: { providerScript: null, ...reply }, errors: [] });
      }
      const { status = 500, ...body } = reply ?? {};
      return HttpResponse.json({ success: false, data: null, errors: [], reason: "", ...body }, { status });
    }),
  );
  return sent;
}

describe("placing an order", () => {
  it("names the result, sends what was agreed to, and gives up the cart only then", async () => {
    const { press, place, router } = await openCheckout();
    expect(await place()).toHaveTextContent(/^Place order · \$12\.40 · ready /);
    const sent = placing(makeOrder("Placed"));
    await press();
    expect(await screen.findByRole("heading", { name: /^Ready/ })).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/orders/order-1");
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
    ["ORDER_NOT_PLACED", "We couldn't place your order. You weren't charged; please try again."],
    ["STORE_CLOSED", "This store is closed right now."],
  ])(
    "says why it was refused (%s), keeps the cart, and makes the next one a new request",
    async (reason, words) => {
      const { press } = await openCheckout();
      const sent = placing({ status: 422, reason, errors: [words] }, makeOrder("Placed"));
      await press();
      const alert = await screen.findByText(words, { exact: false });
      expect(alert).toHaveTextContent(/your cart is still here/i);
      expect(cartItem.get().items).toHaveLength(1);
      await press();
      await screen.findByRole("heading", { name: /^Ready/ });
      expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
    },
  );

  it("offers a method no longer that nobody knows any more, and the next one at once", async () => {
    const { press } = await openCheckout([visa, { ...pass, isDefault: false, amount: 0 }]);
    expect(screen.getByRole("button", { name: /^Pay with Visa/ })).toBeInTheDocument();
    placing({ status: 422, reason: "PAYMENT_METHOD_UNKNOWN", errors: ["This payment method is gone."] });
    server.use(
      mockGet("/payments/list", { paymentMethods: [method("pay_amex", "card", { last4: "0005" })] }),
    );
    await press();
    expect(await screen.findByText(/choose another way to pay/i)).toBeInTheDocument();
    expect(await screen.findByRole("button", { name: /^Pay with .*0005/ })).toBeInTheDocument();
  });

  it.each([
    ["a 503", { status: 503 }],
    ["a fault", { status: 500 }],
  ])("sends the very same request again after %s", async (_, refusal) => {
    const { press, user } = await openCheckout();
    const sent = placing(refusal, makeOrder("Placed"));
    await press();
    expect(await screen.findByText(/you won't be charged twice/)).toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: /^Try again · / }));
    await screen.findByRole("heading", { name: /^Ready/ });
    expect(sent[1]).toEqual(sent[0]);
  });

  it("asks before it pays a price that moved", async () => {
    const { press, user } = await openCheckout();
    const moved = { ...quote, total: { ...quote.total, currencyAmount: 1310 } };
    const sent = placing(
      { status: 409, reason: "PRICE_CHANGED", data: { quote: moved } },
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
    await screen.findByRole("heading", { name: /^Ready 8:40/ });
    expect(sent[1]?.expectedTotal.currencyAmount).toBe(1310);
    expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
  });

  it("lets the bank ask its question, then asks with the same key what came of it", async () => {
    const { press } = await openCheckout();
    const handleNextAction = vi.fn(async () => ({}));
    window.Stripe = () => ({ handleNextAction }) as unknown as ReturnType<NonNullable<typeof window.Stripe>>;
    const setUp = vi.fn();
    server.use(http.post("*/api/stripe/card/secret", setUp));
    const providerScript = { publishableKey: "pk_test", scriptUrl: "https://provider.example/v1/js" };
    const sent = placing(
      { ...makeOrder("PaymentPending", { clientSecret: "pi_1_secret_1" }), providerScript },
      // The provider's own message to our server came first.
      { status: 503 },
      makeOrder("Placed"),
    );
    await press();
    await screen.findByRole("heading", { name: /^Ready/, level: 1 }, { timeout: 4_000 });
    expect(handleNextAction).toHaveBeenCalledExactlyOnceWith({ clientSecret: "pi_1_secret_1" });
    // Nothing is set up at the provider only to learn where its script is.
    expect(setUp).not.toHaveBeenCalled();
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(1);
    delete window.Stripe;
  });

  it("leads to the order that a cart has become already", async () => {
    const { press, router } = await openCheckout();
    placing({ status: 409, reason: "CART_ORDERED", errors: ["This cart was ordered already."] });
    const recent = makeOrder("Placed", { createdAt: new Date().toISOString() });
    server.use(mockGet("/order/active-orders", { orders: [recent] }));
    await press();
    await screen.findByRole("heading", { name: /^Ready/ });
    expect(router.state.location.pathname).toBe("/orders/order-1");
  });

  it("asks for a payment method where there is none", async () => {
    const { press } = await openCheckout([]);
    const sent = placing(makeOrder("Placed"));
    await press();
    expect(await screen.findByText("Payment method is required")).toBeInTheDocument();
    expect(sent).toEqual([]);
  });
});

it("pays with JoePass where it has a balance, and says what it leaves", async () => {
  const { user } = await openCheckout([visa, pass]);
  const trigger = screen.getByRole("button", { name: /^Pay with JoePass/ });
  expect(trigger).toHaveTextContent("Default");
  expect(trigger).toHaveTextContent("$24.60, $12.20 left after this order");
  await user.click(trigger);
  await screen.findByRole("dialog", { name: "Pay with" });
  expect(screen.getByRole("link", { name: "Add a card" })).toHaveAttribute(
    "href",
    "/account/add-credit-card?userId=consumer-maya&next=%2Fcheckout",
  );
  await user.click(screen.getByRole("radio", { name: /Visa ending 4242/ }));
  await user.click(screen.getByRole("button", { name: "Okay" }));
  expect(await screen.findByRole("button", { name: /^Pay with Visa ending 4242/ })).toBeInTheDocument();
});

it("says that the JoePass is short before anything is asked, and where to choose another", async () => {
  const { press } = await openCheckout([{ ...pass, amount: 93 }, visa]);
  const sent = placing(makeOrder("Placed"));
  await press();
  const trigger = screen.getByRole("button", { name: /^Pay with JoePass/ });
  expect(trigger).toHaveAccessibleDescription("JoePass is $11.47 short. Choose another way to pay.");
  expect(trigger).toHaveFocus();
  expect(sent).toEqual([]);
});

it("says why there is no price, and asks for it again", async () => {
  const { user, queryClient } = await openCheckout();
  server.use(mockPostError("/order/pricing", { status: 503 }));
  queryClient.removeQueries({ queryKey: ["quote"] });
  cartItem.set((now) => ({ ...now, tipAmount: 100 }));
  expect(await screen.findByText(/isn't available right now/)).toBeInTheDocument();
  // What was chosen can still be changed meanwhile.
  expect(screen.getByRole("radiogroup", { name: "Tip" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Place order" })).toBeDisabled();
  server.use(mockPost("/order/pricing", () => quote));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("button", { name: /^Place order · \$12/ })).toBeEnabled());
});

it("takes a tip as a share of the order", async () => {
  const { user } = await openCheckout();
  await user.click(screen.getByRole("radio", { name: /^20%/ }));
  expect(cartItem.get().tipAmount).toBe(190);
  await user.click(screen.getByRole("radio", { name: "No tip" }));
  expect(cartItem.get().tipAmount).toBe(0);
});

it("says what cannot be made before anything is paid", async () => {
  const { queryClient } = await openCheckout();
  const problem = { lineId: "line-1", reason: "CHOICE_SOLD_OUT", message: "Oat milk is sold out." };
  server.use(mockPost("/order/pricing", () => ({ ...quote, problems: [problem] })));
  await queryClient.invalidateQueries({ queryKey: ["quote"] });
  expect(await screen.findByText("Oat milk is sold out.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Update your cart" })).toHaveAttribute("href", "/cart");
});

it("shows why there is no eta, and lets a code be refused in words", async () => {
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
  await queryClient.invalidateQueries({ queryKey: ["quote"] });
  expect(await screen.findByText("Closed until 7:00 AM.")).toBeInTheDocument();
});
