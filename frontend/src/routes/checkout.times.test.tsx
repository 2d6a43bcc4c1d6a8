import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { formatSlots } from "@/features/checkout/format";
import type { CartOptions, Quote } from "@/features/checkout/queries";
import type { Store } from "@/features/stores/queries";
import { sunset } from "@/features/stores/testing/stores";
import { formatTime } from "@/lib/time";
import { attemptItem } from "@/state/attempt";
import { cartItem } from "@/state/cart";
import { cart, cartOptions, quote } from "@/testing/cart";
import { makeMethod } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";

/**
 * Whole hours from now, because times that have passed are not offered. The slots are two hours apart, so that they differ when the
 * clocks go back.
 */
const inHours = (hours: number): string =>
  new Date((Math.ceil(Date.now() / 3_600_000) + hours) * 3_600_000).toISOString();
const [SLOT, OTHER] = [inHours(25), inHours(27)];
const radioOf = (slot: string) => ({ name: new RegExp(`(^|\\s)${formatTime(slot, cart.timeZone)}`) });

const withPickup = (pickup: Partial<CartOptions["pickup"]>): CartOptions => ({
  ...cartOptions,
  pickup: { ...cartOptions.pickup, ...pickup },
});

const quoteEta = { scheduled: true, timeZone: cart.timeZone };

beforeEach(() => {
  attemptItem.clear();
});

function mockCheckout(
  options: CartOptions,
  price: (cart: { schedule: string | null }) => Quote = () => quote,
) {
  server.use(
    mockPost("/order/pricing", (body) => price((body as { cart: { schedule: string | null } }).cart)),
    mockGet("/payments/list", { paymentMethods: [makeMethod("pay_visa", "card", { isDefault: true })] }),
    mockGet("/store/cart-options", options),
    mockGet("/user/orders", { orders: [] }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
}

async function openCheckout(options: CartOptions) {
  mockCheckout(options);
  const app = await renderRoute("/checkout", { session: maya });
  const place = () => screen.findByRole("button", { name: /^Place order/ });
  await waitFor(async () => expect(await place()).toBeEnabled());
  return { ...app, press: async () => app.user.click(await place()) };
}

it.each([
  ["SLOT_UNAVAILABLE", 409, "That pickup time is no longer available. Please choose another."],
  ["PICKUP_TIME_INVALID", 422, "Choose a pickup time during store hours, within the next 5 days."],
])("drops a time that the server rejects (%s) and loads the times again", async (reason, status, message) => {
  cartItem.set({ ...cart, schedule: SLOT });
  const { press } = await openCheckout(withPickup({ slots: [SLOT] }));
  server.use(
    mockPostError("/order/create", { status, reason, errors: [message] }),
    mockGet("/store/cart-options", withPickup({ slots: [OTHER] })),
  );
  await press();
  expect(await screen.findByText(message, { exact: false })).toHaveTextContent(/your cart is still here/i);
  await waitFor(() => expect(cartItem.get().schedule).toBe(""));
  expect(await screen.findByRole("radio", radioOf(OTHER))).toBeInTheDocument();
  expect(screen.queryByRole("radio", radioOf(SLOT))).not.toBeInTheDocument();
});

it("offers only times that have not passed", async () => {
  cartItem.set(cart);
  await openCheckout(withPickup({ slots: [inHours(-2), OTHER] }));
  expect(await screen.findByRole("radio", radioOf(OTHER))).toBeInTheDocument();
  expect(screen.queryByRole("radio", radioOf(inHours(-2)))).not.toBeInTheDocument();
});

it("shows that a selected time has passed and selects the earliest one", async () => {
  cartItem.set({ ...cart, schedule: SLOT });
  await openCheckout(withPickup({ slots: [OTHER] }));
  await screen.findByText("Your pickup time isn't available anymore. Please check the new one.");
  expect(cartItem.get().schedule).toBe("");
});

it("keeps a time that another tab selected from newer times", async () => {
  cartItem.set(cart);
  await openCheckout(withPickup({ slots: [OTHER] }));
  await screen.findByRole("radio", radioOf(OTHER));
  act(() => cartItem.set((now) => ({ ...now, schedule: SLOT })));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(cartItem.get().schedule).toBe(SLOT);
});

it("keeps the time of another cart when the server rejects the time of the ordered one", async () => {
  cartItem.set({ ...cart, schedule: SLOT });
  const { press, router } = await openCheckout(withPickup({ slots: [SLOT] }));
  const held = Promise.withResolvers<void>();
  server.use(
    http.post("*/api/consumer/order/create", async () => {
      await held.promise;
      const body = { success: false, data: null, reason: "SLOT_UNAVAILABLE", errors: ["Taken."] };
      return HttpResponse.json(body, { status: 409 });
    }),
  );
  await press();
  await act(() => router.navigate({ to: "/lp/error" }));
  cartItem.set({ ...cart, cartId: "cart-2", schedule: OTHER });
  held.resolve();
  await screen.findByText("Order not placed. Taken.");
  expect(cartItem.get().schedule).toBe(OTHER);
});

it("shows that a store stopped curbside pickup", async () => {
  cartItem.set({ ...cart, pickup: "curbside" });
  await openCheckout(withPickup({ curbside: false }));
  await screen.findByText("This store stopped curbside pickup. Pick up at the counter.");
  expect(cartItem.get().pickup).toBe("counter");
});

it("names the zone of times that occur twice when the clocks go back", () => {
  const slots = [
    "2026-11-01T05:45:00Z",
    "2026-11-01T06:15:00Z",
    "2026-11-01T07:15:00Z",
    "2026-11-01T08:15:00Z",
  ];
  expect([...formatSlots(slots, "America/Chicago").values()]).toEqual([
    "12:45 AM",
    "1:15 AM CDT",
    "1:15 AM CST",
    "2:15 AM",
  ]);
});

describe("a store that takes no order now", () => {
  const closed: Store = {
    ...sunset,
    openState: "closed",
    hoursToday: "Closed for Thanksgiving, opens tomorrow at 6:00 AM",
  };
  const paused: Store = {
    ...sunset,
    openState: "paused",
    pause: { reason: "equipment", until: null, message: "We're fixing a machine. Please check back soon." },
  };
  const withProblem = (store: Store, reason: string): Quote => ({
    ...quote,
    store,
    problems: [{ lineId: "", reason, message: "This store isn't taking orders right now." }],
  });
  const none = { earliestAt: null, slots: [] };

  it.each([
    [closed, "STORE_CLOSED", "Closed right now", "Closed for Thanksgiving, opens tomorrow at 6:00 AM."],
    [
      paused,
      "STORE_PAUSED",
      "Not taking orders right now",
      "We're fixing a machine. Please check back soon.",
    ],
  ])("explains why, and links to a later time or another store (%#)", async (store, reason, title, text) => {
    cartItem.set(cart);
    mockCheckout(withPickup({ earliestAt: null, slots: [SLOT] }), ({ schedule }) =>
      schedule ? { ...quote, store, eta: { ...quoteEta, readyAt: SLOT } } : withProblem(store, reason),
    );
    const { user } = await renderRoute("/checkout", { session: maya });
    expect(await screen.findByRole("heading", { level: 2, name: title })).toBeInTheDocument();
    expect(screen.getByText(text, { exact: false })).toHaveTextContent(/Choose a later pickup time/);
    expect(screen.getByRole("link", { name: "Find another store" })).toHaveAttribute("href", "/explore");
    expect(screen.queryByRole("button", { name: /^Place order/ })).toBeNull();
    expect(screen.queryByRole("link", { name: "Update your cart" })).toBeNull();

    await user.click(await screen.findByRole("button", { name: "Choose a pickup time" }));
    const sheet = await screen.findByRole("dialog", { name: "Pickup time" });
    await user.click(within(sheet).getByRole("radio", radioOf(SLOT)));
    await user.click(within(sheet).getByRole("button", { name: /^Pick up/ }));
    const place = await screen.findByRole("button", { name: /^Place order/ });
    await waitFor(() => expect(place).toBeEnabled());
    expect(cartItem.get().schedule).toBe(SLOT);
  });

  it("offers no other store in place of a time before the times are loaded", async () => {
    cartItem.set(cart);
    mockCheckout(withPickup(none), () => withProblem(closed, "STORE_CLOSED"));
    const options = Promise.withResolvers<CartOptions>();
    server.use(mockGet("/store/cart-options", options.promise));
    await renderRoute("/checkout", { session: maya });
    const choose = await screen.findByRole("button", { name: "Choose a pickup time" });
    expect(choose).toBeDisabled();
    expect(screen.getAllByRole("link", { name: "Find another store" })).toHaveLength(1);
    options.resolve(withPickup({ earliestAt: null, slots: [SLOT] }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Choose a pickup time" })).toBeEnabled());
  });

  it("leads to another store if it offers no time", async () => {
    cartItem.set(cart);
    mockCheckout(withPickup(none), () => withProblem(closed, "STORE_CLOSED"));
    await renderRoute("/checkout", { session: maya });
    await screen.findByRole("heading", { level: 2, name: "Closed right now" });
    await waitFor(() =>
      expect(screen.getAllByRole("link", { name: "Find another store" }).length).toBeGreaterThan(1),
    );
    expect(screen.getByText(/Please pick another store/)).toBeInTheDocument();
  });

  it("leads to another store if it never opens", async () => {
    cartItem.set(cart);
    mockCheckout(withPickup(none));
    const message = "This store isn't taking orders. Please pick another store.";
    server.use(mockPostError("/order/pricing", { status: 409, reason: "STORE_CLOSED", errors: [message] }));
    await renderRoute("/checkout", { session: maya });
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^Place order/ })).toBeNull();
    expect(screen.getAllByRole("link", { name: "Find another store" })).toHaveLength(2);
  });
});
