import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { formatSlots } from "@/features/checkout/format";
import type { CartOptions } from "@/features/checkout/queries";
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

beforeEach(() => {
  attemptItem.clear();
});

async function openCheckout(options: CartOptions) {
  server.use(
    mockPost("/order/pricing", () => quote),
    mockGet("/payments/list", { paymentMethods: [makeMethod("pay_visa", "card", { isDefault: true })] }),
    mockGet("/store/cart-options", options),
    mockGet("/user/orders", { orders: [] }),
    mockPost("/user/save-cart", () => ({ cart: null, savedAt: null })),
  );
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
