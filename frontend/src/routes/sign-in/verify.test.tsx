import { act, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sessionQuery } from "@/shell/queries";
import { attemptItem } from "@/state/attempt";
import { clearOnLogout, device, rememberConsumer } from "@/state/device";
import { invitationItem } from "@/state/invitation";
import { onTestEnd } from "@/testing/cleanups";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";

beforeEach(mockAccount);

const newConsumer = { ...maya, firstName: "", lastName: "" };

const login = { phone: maya.phone, resendAfterSeconds: 30, expiresAfterSeconds: 600 };

async function requestCode(url = "/sign-in/getting-started") {
  const sent: unknown[] = [];
  server.use(
    mockPost("/authentication/login", (body) => {
      sent.push(body);
      return login;
    }),
  );
  const app = await renderRoute(url);
  await app.user.type(await screen.findByLabelText("Mobile number"), "(213) 555-0142");
  await app.user.click(screen.getByRole("button", { name: "Text me a code" }));
  await screen.findByLabelText("Six-digit code");
  return { ...app, sent };
}

it("sends the number in E.164 and keeps it out of the URL", async () => {
  const { sent, router } = await requestCode();
  expect(sent).toEqual([{ phone: "+12135550142" }]);
  expect(router.state.location.href).toBe("/sign-in/verify");
});

it("requires ten digits before it sends the number", async () => {
  const { user } = await renderRoute("/sign-in/getting-started");
  await user.type(await screen.findByLabelText("Mobile number"), "213555");
  await user.click(screen.getByRole("button", { name: "Text me a code" }));
  expect(await screen.findByText("Enter all 10 digits of your number.")).toBeTruthy();
});

it("requests the name of a new consumer, then opens the requested page", async () => {
  const { user, router } = await requestCode("/sign-in/getting-started?next=%2Faccount");
  const setName = vi.fn(() => maya);
  server.use(
    mockPost("/authentication/verify", () => ({ needsName: true, profile: newConsumer })),
    mockPost("/user/name", setName),
  );
  await user.type(screen.getByLabelText("Six-digit code"), "123456");
  await user.type(await screen.findByLabelText("First name"), " Maya ");
  await user.click(screen.getByRole("button", { name: "Start ordering" }));
  expect(await screen.findByRole("heading", { name: "Maya Okafor" })).toBeTruthy();
  expect(setName).toHaveBeenCalledWith({ firstName: "Maya", lastName: "" }, expect.anything());
  expect(router.state.location.pathname).toBe("/account");
});

it("signs in a returning consumer without requesting the name", async () => {
  const { user, router } = await requestCode("/sign-in/getting-started?next=%2Faccount");
  server.use(mockPost("/authentication/verify", () => ({ needsName: false, profile: maya })));
  await user.type(screen.getByLabelText("Six-digit code"), "123456");
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/account"));
});

describe("the history", () => {
  async function openFromCart() {
    server.use(
      mockPost("/authentication/login", () => login),
      mockGet("/user/cart", { cart: null, savedAt: null }),
      mockGet("/user/orders", { orders: [] }),
    );
    const app = await renderRoute("/cart");
    await act(() => app.router.navigate({ to: "/sign-in/getting-started", search: { next: "/account" } }));
    await app.user.type(await screen.findByLabelText("Mobile number"), "(213) 555-0142");
    await app.user.click(screen.getByRole("button", { name: "Text me a code" }));
    await screen.findByLabelText("Six-digit code");
    return app;
  }

  it("has no sign-in after it", async () => {
    const { user, router } = await openFromCart();
    server.use(mockPost("/authentication/verify", () => ({ needsName: false, profile: maya })));
    await user.type(screen.getByLabelText("Six-digit code"), "123456");
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/account"));
    await act(() => router.history.back());
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/cart"));
  });

  it("has one entry of it if the consumer changes the number", async () => {
    const { user, router } = await openFromCart();
    await user.click(screen.getByRole("link", { name: "Change number" }));
    await screen.findByLabelText("Mobile number");
    expect(router.state.location.search).toEqual({ next: "/account" });
    await act(() => router.history.back());
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/cart"));
  });
});

it("opens the requested page instead of the sign-in if the consumer is signed in", async () => {
  const { router } = await renderRoute("/sign-in/getting-started?next=%2Faccount", { session: maya });
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/account"));
  expect(router.history.length).toBe(1);
});

it("does not trust the profile on the device", async () => {
  device.user.set({ ...maya, points: 1 });
  const { router } = await renderRoute("/sign-in/getting-started?next=%2Faccount");
  await screen.findByLabelText("Mobile number");
  expect(router.state.location.pathname).toBe("/sign-in/getting-started");
});

it("keeps a page that the app opens while the requested page loads", async () => {
  const { user, router } = await requestCode("/sign-in/getting-started?next=%2Faccount");
  server.use(mockPost("/authentication/verify", () => ({ needsName: false, profile: maya })));
  const opened: string[] = [];
  router.subscribe("onBeforeNavigate", ({ toLocation }) => {
    opened.push(toLocation.pathname);
    if (opened.length === 1) router.history.push("/account/settings");
  });
  await user.type(screen.getByLabelText("Six-digit code"), "123456");
  expect(await screen.findByRole("heading", { level: 1, name: "Settings" })).toBeTruthy();
  expect(opened).toEqual(["/account", "/account/settings"]);
});

it("sends the share code of an invitation once", async () => {
  invitationItem.set("MAYA-7");
  const { user } = await requestCode("/sign-in/getting-started?next=%2Faccount");
  const verify = vi.fn(() => ({ needsName: false, profile: maya }));
  server.use(mockPost("/authentication/verify", verify));
  await user.type(screen.getByLabelText("Six-digit code"), "123456");
  await vi.waitFor(() =>
    expect(verify).toHaveBeenCalledWith(
      { phone: maya.phone, code: "123456", shareCode: "MAYA-7" },
      expect.anything(),
    ),
  );
  await screen.findByRole("heading", { name: "Maya Okafor" });
  expect(invitationItem.get()).toBe("");
});

it("shows why a code is rejected and accepts another one", async () => {
  const { user } = await requestCode();
  server.use(
    mockPostError("/authentication/verify", { status: 422, errors: ["That code is incorrect or expired."] }),
  );
  const code = screen.getByLabelText<HTMLInputElement>("Six-digit code");
  await user.type(code, "000000");
  expect(await screen.findByText("That code is incorrect or expired.")).toBeTruthy();
  expect(code.value).toBe("");
});

it.each(["https://evil.example", "//evil.example", "/\\evil.example"])(
  "does not redirect to %s",
  async (next) => {
    const { router } = await renderRoute(`/sign-in/getting-started?next=${encodeURIComponent(next)}`);
    expect(router.state.location.search).toEqual({});
  },
);

it("returns to the start without a requested code", async () => {
  const { router } = await renderRoute("/sign-in/verify");
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
});

const ada = { ...maya, id: "consumer-ada", firstName: "Ada", email: "ada@example.com", shareCode: "ADA-1" };

/** Fills the device as Maya leaves it: an order was sent, and its outcome is unknown. */
function leaveDataOfMaya() {
  const { firstName, lastName, email, phone, shareCode, points } = maya;
  rememberConsumer({ id: maya.id, firstName, lastName, email, phone, shareCode, points });
  device.cart.set((cart) => ({
    ...cart,
    cartId: "cart-maya",
    promo: { code: "MAYA", type: "fixed", value: 1 },
  }));
  device.checkout.set({ paymentId: "pm-maya", paymentType: "card" });
  device.idempotency.set({ "place|maya": "key-maya" });
  attemptItem.set({ name: "maya", key: "key-maya", expectedTotal: 1, expectedReadyAt: "" });
  device.lastOrder.set({ orderId: "order-maya", ts: new Date().toISOString(), storeName: "Maya's store" });
  device.preferredPaymentMethod.set("pm-maya");
  device.vehicle.set({ make: "Maya's van", color: "blue", plate: "MAYA" });
  device.bookmark.set({ url: "/orders/order-maya", name: "Maya's order" });
}

const storedText = () => JSON.stringify(Object.entries(localStorage)).toLowerCase();

async function signInAs(profile: typeof maya) {
  const app = await requestCode("/sign-in/getting-started?next=%2Faccount");
  server.use(mockPost("/authentication/verify", () => ({ needsName: false, profile })));
  await app.user.type(screen.getByLabelText("Six-digit code"), "123456");
  await vi.waitFor(() => expect(app.router.state.location.pathname).toBe("/account"));
  return app;
}

it("clears the data of the previous consumer when another one signs in", async () => {
  leaveDataOfMaya();
  expect(storedText()).toContain("maya");
  await signInAs(ada);
  expect(storedText()).not.toContain("maya");
  expect(device.cart.get().cartId).toBe("");
  expect(attemptItem.get()).toBeNull();
});

it("clears the data of the previous consumer after a sign-out and another sign-in", async () => {
  leaveDataOfMaya();
  clearOnLogout();
  expect(attemptItem.get()).toBeNull();
  await signInAs(ada);
  expect(storedText()).not.toContain("maya");
});

it("clears the invitation that the previous consumer followed", () => {
  invitationItem.set("MAYA-7");
  clearOnLogout();
  expect(invitationItem.get()).toBe("");
});

it("keeps the cart and the attempt when the same consumer signs in again", async () => {
  leaveDataOfMaya();
  await signInAs(maya);
  expect(device.cart.get().cartId).toBe("cart-maya");
  expect(attemptItem.get()?.key).toBe("key-maya");
});

it("ends a sign-out that has not reached the server before it signs in", async () => {
  device.signOutPending.set(true);
  const sent: string[] = [];
  server.events.on("request:start", ({ request }) => sent.push(new URL(request.url).pathname));
  onTestEnd(() => server.events.removeAllListeners());
  server.use(mockPostError("/authentication/logout", { status: 503 }));
  const { queryClient } = await signInAs(ada);
  const calls = sent.filter((path) => /logout|verify/.test(path));
  expect(calls).toEqual(["/api/consumer/authentication/logout", "/api/consumer/authentication/verify"]);
  expect(device.signOutPending.get()).toBe(false);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(ada);
});

it("keeps the cart that was started before the first sign-in", async () => {
  device.cart.set((cart) => ({ ...cart, cartId: "cart-guest" }));
  await signInAs(ada);
  expect(device.cart.get().cartId).toBe("cart-guest");
});
