import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import type { GetData } from "@/api/contract";
import { consoleKeys, type StaffSession, type StoreOrder } from "@/features/console/queries";
import { sunset } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { device } from "@/state/device";
import { makeOrder } from "@/testing/order";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const session: StaffSession = {
  storeId: "store-sunset",
  storeName: "Sunset & Maltman",
  timeZone: "America/Los_Angeles",
  openState: "open",
  hoursToday: "Open until 8:00 PM",
  waitMinutes: 8,
};

const soon = new Date(Date.now() + 6 * 60_000).toISOString();
const making = makeOrder("Preparing", { orderId: "order-47", startAt: soon });
const placed = makeOrder("Placed", {
  orderId: "order-48",
  pickupNumber: "K 48",
  pickupName: "Jonas",
  startAt: soon,
});
const waiting = makeOrder("Ready", {
  orderId: "order-44",
  pickupNumber: "K 44",
  pickupName: "Omar",
  pickup: "curbside",
  vehicle: "blue Fiat",
  arrivedAt: "2026-11-20T16:40:00Z",
});

const mockQueue = (orders: StoreOrder[]) => mockGet("/store-api/queue", { orders, nextCursor: null });
const menuOf = (...names: string[]): GetData<"/store/menu"> => ({
  sections: [
    {
      category: { categoryId: "drinks", name: "Drinks", itemCount: names.length },
      items: names.map((name) => ({
        itemId: name,
        name,
        description: "",
        priceFrom: cents(500),
        soldOut: false,
        detail: "",
        art: { kind: "drink", base: "latte" },
        kind: "drink",
        allergens: [],
      })),
    },
  ],
});
const openConsole = (orders: StoreOrder[]) => {
  server.use(mockGet("/store-api/staff/session", session), mockQueue(orders));
  return renderRoute("/store-console");
};

it("signs staff in with store code and PIN and shows the same message for either mistake", async () => {
  server.use(
    mockGetError("/store-api/staff/session", { status: 401, reason: "UNAUTHENTICATED" }),
    mockPostError("/store-api/staff/sign-in", {
      status: 422,
      reason: "STAFF_PIN_INVALID",
      errors: ["That store code or PIN is incorrect."],
    }),
    mockQueue([]),
  );
  const { user } = await renderRoute("/store-console");
  await user.type(await screen.findByLabelText("Store code"), "seed-01");
  await user.type(screen.getByLabelText("PIN"), "12");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("Enter your PIN, six digits or more.")).toBeInTheDocument();
  await user.type(screen.getByLabelText("PIN"), "3456");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("That store code or PIN is incorrect.")).toBeInTheDocument();

  const signIn = vi.fn(() => session);
  server.use(mockPost("/store-api/staff/sign-in", signIn));
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByRole("heading", { name: "Sunset & Maltman" })).toBeInTheDocument();
  expect(signIn).toHaveBeenCalledWith({ storeCode: "seed-01", pin: "123456" }, expect.anything());
});

it("shows what to make now, the next orders and the shelf, without prices", async () => {
  const { container } = await openConsole([placed, waiting, making]);
  const now = await screen.findByRole("region", { name: "Make now" });
  expect(within(now).getByText("Maya")).toBeInTheDocument();
  expect(within(now).getByRole("button", { name: "To the shelf, K 47" })).toBeInTheDocument();
  const next = screen.getByRole("region", { name: "Next, in make order" });
  expect(within(next).getByText("Jonas, K 48")).toBeInTheDocument();
  const shelf = screen.getByRole("region", { name: "On the shelf" });
  expect(within(shelf).getByText("At the curb, blue Fiat")).toBeInTheDocument();
  expect(screen.getByText("Live, 3 orders on the board")).toBeInTheDocument();
  expect(container.textContent).not.toContain("$");
});

it("moves an order with one tap for each step", async () => {
  const { user } = await openConsole([placed]);
  for (const [button, path, result] of [
    ["Accept, K 48", "/store-api/orders/{id}/accept", "Accepted"],
    ["Start, K 48", "/store-api/orders/{id}/start", "Preparing"],
    ["To the shelf, K 48", "/store-api/orders/{id}/ready", "Ready"],
    ["Collected, K 48", "/store-api/orders/{id}/complete", "Completed"],
  ] as const) {
    const order = { ...placed, status: result };
    const step = await screen.findByRole("button", { name: button });
    server.use(
      mockPost(path, (_body, request) => {
        expect(new URL(request.url).pathname).toContain("order-48");
        return order;
      }),
      mockQueue(result === "Completed" ? [] : [order]),
    );
    await user.click(step);
  }
  expect(await screen.findByText("Nothing is waiting for its guest.")).toBeInTheDocument();
});

it("rejects a new order with a reason for the guest", async () => {
  const { user } = await openConsole([placed]);
  const reject = vi.fn((): StoreOrder => ({ ...placed, status: "Rejected" }));
  await user.click(await screen.findByRole("button", { name: "Reject, K 48" }));
  server.use(mockPost("/store-api/orders/{id}/reject", reject), mockQueue([]));
  await user.click(await screen.findByRole("button", { name: /run out of something/ }));
  await waitFor(() =>
    expect(reject).toHaveBeenCalledWith(
      { reason: "Sorry, we've run out of something in your order." },
      expect.anything(),
    ),
  );
  expect(await screen.findByText("All made")).toBeInTheDocument();
});

it("keeps the board and says so while the connection is lost", async () => {
  const { queryClient } = await openConsole([making]);
  await screen.findByRole("button", { name: "To the shelf, K 47" });
  server.use(http.get("*/store-api/queue", () => HttpResponse.error()));
  void queryClient.refetchQueries({ queryKey: consoleKeys.queue(session.storeId) });
  expect(await screen.findByText(/^Connection lost. This is the board at/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "To the shelf, K 47" })).toBeInTheDocument();
  server.use(mockQueue([making]));
  await queryClient.refetchQueries({ queryKey: consoleKeys.queue(session.storeId) });
  await waitFor(() => expect(screen.queryByText(/^Connection lost/)).not.toBeInTheDocument());
});

it("asks to sign in again after the session ended, and leaves the consumer's cart alone", async () => {
  const { user } = await openConsole([making]);
  const clearCart = vi.spyOn(device.cart, "clear");
  const shelve = await screen.findByRole("button", { name: "To the shelf, K 47" });
  server.use(
    mockPostError("/store-api/orders/{id}/ready", { status: 401, reason: "UNAUTHENTICATED" }),
    mockGetError("/store-api/queue", { status: 401, reason: "UNAUTHENTICATED" }),
    mockGetError("/store-api/staff/session", { status: 401, reason: "UNAUTHENTICATED" }),
  );
  await user.click(shelve);
  expect(await screen.findByLabelText("Store code")).toBeInTheDocument();
  expect(clearCart).not.toHaveBeenCalled();
});

it("pauses and resumes new orders", async () => {
  const { user } = await openConsole([]);
  server.use(
    mockPost("/store-api/stores/{id}/pause", () => ({ ...sunset, openState: "paused" as const })),
    mockPost("/store-api/stores/{id}/resume", () => sunset),
  );
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  expect(await screen.findByText(/^New orders are paused/)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(await screen.findByRole("button", { name: "Pause" })).toBeInTheDocument();
});

it("switches an item to sold out and back if that fails", async () => {
  const { user } = await openConsole([]);
  const sell = vi.fn(() => ({ soldOut: true }));
  server.use(
    mockGet("/store/menu", menuOf("Iced latte", "Butter croissant")),
    mockPost("/store-api/stores/{id}/availability", sell),
  );
  await user.click(await screen.findByRole("button", { name: "Sold out" }));
  const latte = await screen.findByRole("checkbox", { name: "Iced latte available" });
  await user.click(latte);
  await waitFor(() =>
    expect(sell).toHaveBeenCalledWith(
      { subject: "item", id: "Iced latte", soldOut: true },
      expect.anything(),
    ),
  );
  expect(screen.getByRole("checkbox", { name: "Iced latte available" })).not.toBeChecked();
  server.use(mockPostError("/store-api/stores/{id}/availability", { status: 503, reason: "UNAVAILABLE" }));
  await user.click(screen.getByRole("checkbox", { name: "Butter croissant available" }));
  await waitFor(() =>
    expect(screen.getByRole("checkbox", { name: "Butter croissant available" })).toBeChecked(),
  );
});
