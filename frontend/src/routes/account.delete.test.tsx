import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import { type WalletBalance, walletQuery } from "@/features/wallet/queries";
import { cents } from "@/lib/money";
import { device } from "@/state/device";
import { makeOrder } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const joePass: WalletBalance = {
  id: "bal_1",
  type: "joebucks",
  kind: "JoePass",
  balance: cents(1220),
  held: cents(0),
  pending: cents(0),
  companyId: null,
  companyName: null,
  isActive: true,
  giftCardId: null,
  design: null,
  codeSuffix: null,
};

beforeEach(() => server.use(mockGet("/user/wallet", { balances: [joePass] })));

const loseResponse = () =>
  http.post("*/api/consumer/user/remove", () => HttpResponse.error(), { once: true });

async function confirmTwice(user: Awaited<ReturnType<typeof renderRoute>>["user"]) {
  await user.click(await screen.findByRole("checkbox", { name: "I understand that this can't be undone." }));
  await user.click(screen.getByRole("button", { name: "Delete my account" }));
  await user.click(await screen.findByRole("button", { name: "Yes, delete it" }));
}

it("shows what the consumer loses", async () => {
  await renderRoute("/account/delete", { session: maya });
  expect(await screen.findByText("You'll lose $12.20")).toBeTruthy();
  expect(screen.getByText("You'll lose 480 points and all offers.")).toBeTruthy();
});

it("still warns if the balance cannot be loaded", async () => {
  server.use(mockGetError("/user/wallet", { status: 500 }));
  await renderRoute("/account/delete", { session: maya });
  expect(await screen.findByText("You'll lose any money on your JoePass and gift cards.")).toBeTruthy();
});

it("deletes the account only after a second confirmation", async () => {
  const { user } = await renderRoute("/account/delete", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Delete my account" }));
  expect(await screen.findByText("Confirm that you understand first.")).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: "I understand that this can't be undone." }));
  await user.click(screen.getByRole("button", { name: "Delete my account" }));
  await user.click(await screen.findByRole("button", { name: "Keep my account" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  // A request without a mock would fail the test.
  expect(screen.getByRole("heading", { name: "Delete account" })).toBeTruthy();
});

it("clears the device if the consumer leaves before the response", async () => {
  const held = Promise.withResolvers<void>();
  server.use(
    mockGet("/stores/list", { stores: [] }),
    http.post("*/api/consumer/user/remove", async () => {
      await held.promise;
      return HttpResponse.json({ success: true, data: {}, errors: [] });
    }),
  );
  device.vehicle.set({ color: "Blue", make: "Honda", plate: "" });
  const { user, router } = await renderRoute("/account/delete", { session: maya });
  await confirmTwice(user);
  await router.navigate({ to: "/lp/error" });
  await vi.waitFor(() => expect(screen.queryByRole("heading", { name: "Delete account" })).toBeNull());
  held.resolve();
  expect(await screen.findByText("Your account was deleted")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/");
  expect(device.vehicle.get()).toBeNull();
});

it("deletes the account and everything personal on the device", async () => {
  device.vehicle.set({ color: "Blue", make: "Honda", plate: "" });
  device.preferredPaymentMethod.set("pm_1");
  const { user, router, queryClient } = await renderRoute("/account/delete", { session: maya });
  const remove = vi.fn(() => ({}));
  server.use(mockPost("/user/remove", remove), mockGet("/stores/list", { stores: [] }));
  await confirmTwice(user);
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(remove).toHaveBeenCalledOnce();
  expect(await screen.findByText("Your account was deleted")).toBeTruthy();
  expect(queryClient.getQueryData(["session"])).toBeNull();
  for (const item of [device.user, device.owner, device.vehicle, device.preferredPaymentMethod]) {
    expect(item.get()).toBeNull();
  }
});

it("does not report an ended session to a consumer without one", async () => {
  const { user, router, queryClient } = await renderRoute("/account/delete", { session: maya });
  server.use(
    mockPost("/user/remove", () => ({})),
    mockGet("/stores/list", { stores: [] }),
  );
  await confirmTwice(user);
  await screen.findByText("Your account was deleted");
  // A query that was in flight fails.
  server.use(mockGetError("/user/wallet", { status: 401 }));
  await expect(queryClient.fetchQuery({ ...walletQuery, retry: false })).rejects.toThrow();
  expect(screen.queryByText(/Your session ended/)).toBeNull();
  expect(router.state.location.pathname).toBe("/");
});

it("explains why the account cannot be deleted", async () => {
  const { user } = await renderRoute("/account/delete", { session: maya });
  const errors = ["You have an order in progress. Please wait until it's finished."];
  server.use(mockPostError("/user/remove", { status: 409, reason: "ORDER_ACTIVE", errors }));
  await confirmTwice(user);
  expect(await screen.findByText(errors[0] ?? "")).toBeTruthy();
  expect(device.user.get()).not.toBeNull();
});

it("leads to the order in progress instead", async () => {
  await renderRoute("/account/delete", { session: maya, activeOrders: [makeOrder("Preparing")] });
  expect(await screen.findByRole("link", { name: "See your order" })).toHaveAttribute("href", "/orders");
  expect(screen.queryByRole("button", { name: "Delete my account" })).toBeNull();
});

it("leads to sign-in if the session has ended", async () => {
  const { user, router } = await renderRoute("/account/delete", { session: maya });
  server.use(mockPostError("/user/remove", { status: 401, reason: "UNAUTHENTICATED" }));
  await confirmTwice(user);
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
});

it("recognizes that the account was deleted although the response was lost", async () => {
  device.vehicle.set({ color: "Blue", make: "Honda", plate: "" });
  const { user, router } = await renderRoute("/account/delete", { session: maya });
  server.use(
    loseResponse(),
    mockGetError("/user/profile", { status: 401, reason: "UNAUTHENTICATED" }),
    mockGet("/stores/list", { stores: [] }),
  );
  await confirmTwice(user);
  expect(await screen.findByText("Your account was deleted")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/");
  expect(device.vehicle.get()).toBeNull();
});

it("recognizes it in the next attempt if the device was offline", async () => {
  const { user, router } = await renderRoute("/account/delete", { session: maya });
  server.use(
    loseResponse(),
    mockPostError("/user/remove", { status: 401, reason: "UNAUTHENTICATED" }),
    http.get("*/api/consumer/user/profile", () => HttpResponse.error(), { once: true }),
    mockGet("/stores/list", { stores: [] }),
  );
  await confirmTwice(user);
  expect(await screen.findByText("You're offline. Try again once you're connected.")).toBeTruthy();
  expect(device.user.get()).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Delete my account" }));
  await user.click(await screen.findByRole("button", { name: "Yes, delete it" }));
  expect(await screen.findByText("Your account was deleted")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/");
});
