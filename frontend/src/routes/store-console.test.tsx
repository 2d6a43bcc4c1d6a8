import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import { expect, it, onTestFinished, vi } from "vitest";
import type { GetData } from "@/api/contract";
import {
  consoleKeys,
  type Schedule,
  type ScheduledOrders,
  type StaffSession,
  type StoreMenu,
  type StoreOrder,
} from "@/features/console/queries";
import { sunset } from "@/features/stores/testing/stores";
import { cents } from "@/lib/money";
import { device } from "@/state/device";
import { MockEventSource } from "@/testing/event-source";
import { makeStoreOrder } from "@/testing/order";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";

const session: StaffSession = {
  storeId: "store-sunset",
  storeName: "Sunset & Maltman",
  timeZone: "America/Los_Angeles",
  openState: "open",
  hoursToday: "Open until 8:00 PM",
  waitMinutes: 8,
  pause: null,
};

const soon = new Date(Date.now() + 6 * 60_000).toISOString();
const making = makeStoreOrder("Preparing", { orderId: "order-47", startAt: soon });
const placed = makeStoreOrder("Placed", {
  orderId: "order-48",
  pickupNumber: "K 48",
  pickupName: "Jonas",
  startAt: soon,
});
const waiting = makeStoreOrder("Ready", {
  orderId: "order-44",
  pickupNumber: "K 44",
  pickupName: "Omar",
  pickup: "curbside",
  vehicle: "blue Fiat",
  arrivedAt: "2026-11-20T16:40:00Z",
});

const mockQueue = (orders: StoreOrder[]) => mockGet("/store-api/queue", { orders, nextCursor: null });
const option = (name: string) => ({ id: name, name, soldOut: false });
const menu: StoreMenu = {
  sections: [
    {
      categoryId: "drinks",
      name: "Drinks",
      items: [
        { itemId: "latte", name: "Iced latte", soldOut: false, sizes: [option("Small"), option("Large")] },
        { itemId: "croissant", name: "Butter croissant", soldOut: false, sizes: [option("One")] },
      ],
    },
  ],
  modifications: [
    { modificationId: "milk-hot", name: "Milk", choices: [option("Oat"), option("Whole")] },
    { modificationId: "milk-iced", name: "Milk", choices: [{ ...option("Oat"), id: "Oat iced" }] },
  ],
};

const schedule: Schedule = {
  timeZone: "America/Los_Angeles",
  today: "2026-11-20",
  week: [{ weekday: 1, opensMinute: 360, closesMinute: 1200 }],
  specialDays: [],
  defaultBaristas: 2,
  shifts: [],
  drinksPerBaristaHour: 30,
};

const summary: GetData<"/store-api/stores/{id}/summary"> = {
  day: "2026-11-20",
  waiting: 3,
  scheduled: 1,
  made: 64,
  kept: 62,
  keptPercent: 96,
  averageWaitSeconds: 370,
  rejected: 1,
  cancelled: 0,
  itemsSold: 90,
  items: [{ itemId: "latte", name: "Iced latte", quantity: 40 }],
  ratings: 3,
  averageRatingTenths: 48,
};

const slots = Array.from({ length: 12 }, (_, index) => ({
  startAt: new Date(Date.parse("2026-11-20T16:30:00Z") + index * 300_000).toISOString(),
  reservedSeconds: index < 2 ? 600 : 60,
  capacitySeconds: 600,
}));

const scheduledOrder = (isOutsideHours: boolean) => ({
  order: makeStoreOrder("Scheduled", { orderId: "order-60", pickupNumber: "K 60", pickupName: "Lin" }),
  isOutsideHours,
});
const mockScheduled = (orders: ScheduledOrders["orders"]) =>
  mockGet("/store-api/stores/{id}/scheduled-orders", { orders });

const mockFigures = () => [
  mockScheduled([]),
  mockGet("/store-api/stores/{id}/schedule", schedule),
  mockGet("/store-api/stores/{id}/load", { slots }),
  mockGet("/store-api/stores/{id}/summary", summary),
];
const openConsole = (orders: StoreOrder[], page = "", ...handlers: RequestHandler[]) => {
  server.use(...handlers, mockGet("/store-api/staff/session", session), mockQueue(orders), ...mockFigures());
  return renderRoute(`/store-console${page}`);
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
    ...mockFigures(),
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
  const next = screen.getByRole("region", { name: "Coming up" });
  expect(within(next).getByText("Jonas, K 48")).toBeInTheDocument();
  const shelf = screen.getByRole("region", { name: "On the shelf" });
  expect(within(shelf).getByText("At the curb, blue Fiat")).toBeInTheDocument();
  expect(screen.getByText("Live, 3 orders on the board")).toBeInTheDocument();
  expect(container.textContent).not.toContain("$");
});

it("shows the staff what to collect for an order that was made and not paid", async () => {
  await openConsole([{ ...waiting, unpaid: cents(840) }]);
  const shelf = await screen.findByRole("region", { name: "On the shelf" });
  expect(within(shelf).getByText("Not paid: collect $8.40")).toBeInTheDocument();
});

it("moves an order with one tap for each step", async () => {
  const { user } = await openConsole([placed]);
  for (const [button, path, result] of [
    ["Accept, K 48", "/store-api/orders/{id}/accept", "Accepted"],
    ["Start, K 48", "/store-api/orders/{id}/start", "Preparing"],
    ["To the shelf, K 48", "/store-api/orders/{id}/ready", "Ready"],
    ["Picked up, K 48", "/store-api/orders/{id}/complete", "Completed"],
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
  expect(await screen.findByText("No orders are waiting to be picked up.")).toBeInTheDocument();
});

it("rejects a new order with a reason for the consumer", async () => {
  const { user } = await openConsole([placed]);
  const reject = vi.fn((): StoreOrder => ({ ...placed, status: "Rejected" }));
  await user.click(await screen.findByRole("button", { name: "Reject, K 48" }));
  server.use(mockPost("/store-api/orders/{id}/reject", reject), mockQueue([]));
  expect(await screen.findByText(/^The guest isn't charged/)).toBeInTheDocument();
  const confirm = screen.getByRole("button", { name: "Reject the order" });
  expect(confirm).toBeDisabled();
  await user.click(screen.getByRole("radio", { name: /close early/ }));
  await user.click(screen.getByRole("radio", { name: /run out of something/ }));
  await user.click(confirm);
  await waitFor(() =>
    expect(reject).toHaveBeenCalledWith(
      { reason: "Sorry, we've run out of something in your order." },
      expect.anything(),
    ),
  );
  expect(await screen.findByText("All made")).toBeInTheDocument();
});

it.each(["Accepted", "Preparing"] as const)("rejects an order that is %s with a refund", async (status) => {
  const accepted = makeStoreOrder(status, { pickupNumber: "K 49" });
  const { user } = await openConsole([accepted]);
  const reject = vi.fn((): StoreOrder => ({ ...accepted, status: "Rejected" }));
  await user.click(await screen.findByRole("button", { name: "Reject, K 49" }));
  expect(
    await screen.findByText(/^You've accepted this order\. The guest gets a full refund/),
  ).toBeInTheDocument();
  server.use(mockPost("/store-api/orders/{id}/reject", reject), mockQueue([]));
  await user.click(screen.getByRole("radio", { name: /run out of something/ }));
  await user.click(screen.getByRole("button", { name: "Reject the order" }));
  await waitFor(() => expect(reject).toHaveBeenCalledTimes(1));
  expect(await screen.findByText("All made")).toBeInTheDocument();
});

it("keeps the order when a reason is tapped or confirmed with the keyboard twice", async () => {
  const { user } = await openConsole([placed]);
  const reject = vi.fn((): StoreOrder => ({ ...placed, status: "Rejected" }));
  server.use(mockPost("/store-api/orders/{id}/reject", reject));
  await user.click(await screen.findByRole("button", { name: "Reject, K 48" }));
  const reason = await screen.findByRole("radio", { name: /run out of something/ });
  await user.dblClick(reason);
  expect(reason).toHaveFocus();
  await user.keyboard("{Enter} ");
  expect(reason).toBeChecked();
  await user.click(screen.getByRole("button", { name: "Keep the order" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(reject).not.toHaveBeenCalled();
});

it("announces a refund for a new order that its bank account already pays", async () => {
  const { user } = await openConsole([{ ...placed, isCharged: true }]);
  await user.click(await screen.findByRole("button", { name: "Reject, K 48" }));
  expect(await screen.findByText(/^The guest gets a full refund/)).toBeInTheDocument();
  expect(screen.queryByText(/isn't charged/)).toBeNull();
});

it("keeps the board and shows a notice while the connection is lost", async () => {
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

it("opens the sign-in after the session ended, and keeps the consumer's cart", async () => {
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

it("pauses new orders with a reason and an end, and resumes them", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T16:14:30Z") });
  const { user } = await openConsole([]);
  const until = "2026-11-20T16:45:00Z";
  const pause = vi.fn(() => ({
    ...sunset,
    openState: "paused" as const,
    pause: { reason: "busy" as const, until, message: "" },
  }));
  server.use(
    mockPost("/store-api/stores/{id}/pause", pause),
    mockPost("/store-api/stores/{id}/resume", () => sunset),
  );
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  await user.click(await screen.findByRole("radio", { name: "30 min" }));
  await user.click(screen.getByRole("button", { name: "Too many orders" }));
  expect(await screen.findByText("New orders are paused until 8:45.")).toBeInTheDocument();
  const [body] = (pause.mock.calls as unknown as [{ reason: string; until: string }][])[0] ?? [];
  // 30 minutes from the next whole minute.
  expect(body).toEqual({ reason: "busy", until: "2026-11-20T16:45:00.000Z" });
  await user.click(screen.getByRole("button", { name: "Resume" }));
  expect(await screen.findByRole("button", { name: "Pause" })).toBeInTheDocument();
});

it("takes a payment with the PIN of a guest, once however often the button is tapped", async () => {
  const { user } = await openConsole([]);
  const path = "/store-api/stores/{id}/counter-payments";
  server.use(
    mockPostError(path, {
      status: 422,
      reason: "PIN_NOT_VALID",
      errors: ["That PIN isn't valid. Ask for a new one."],
    }),
  );
  await user.click(await screen.findByRole("button", { name: "JoePass payment" }));
  const sheet = await screen.findByRole("dialog", { name: "JoePass payment" });
  const pay = () => user.click(within(sheet).getByRole("button", { name: "Take payment" }));
  await pay();
  expect(await within(sheet).findByText("Enter the four digits of the guest's PIN.")).toBeInTheDocument();
  expect(within(sheet).getByText("Enter an amount, like 4.50.")).toBeInTheDocument();
  const [pin, amount] = [within(sheet).getByLabelText("Guest's PIN"), within(sheet).getByLabelText("Amount")];
  await user.type(pin, "1234");
  await user.type(amount, "4.50");
  await pay();
  expect(await within(sheet).findByText("That PIN isn't valid. Ask for a new one.")).toBeInTheDocument();

  const sent: { pin: string; amount: number; idempotencyKey: string }[] = [];
  const payment = { counterPaymentId: "ctr_1", amount: cents(450), paidAt: "2026-11-20T16:45:00Z" };
  server.use(
    http.post(`*${path.replace("{id}", session.storeId)}`, async ({ request }) => {
      sent.push((await request.json()) as (typeof sent)[number]);
      if (sent.length === 1) return HttpResponse.error();
      return HttpResponse.json({ success: true, data: payment, errors: [] });
    }),
  );
  await user.clear(pin);
  await user.type(pin, "5678");
  await pay();
  const lost = "We lost the connection. Tap again; the guest won't be charged twice.";
  expect(await within(sheet).findByText(lost)).toBeInTheDocument();
  await pay();
  expect(await screen.findByText("Paid $4.50 with JoePass.")).toBeInTheDocument();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatchObject({ pin: "5678", amount: 450 });
  expect(sent[1]).toEqual(sent[0]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("switches items, sizes and choices to sold out, and back if that fails", async () => {
  const { user } = await openConsole([], "/sold-out");
  const sell = vi.fn(() => ({ soldOut: true }));
  server.use(
    mockGet("/store-api/stores/{id}/menu", menu),
    mockPost("/store-api/stores/{id}/availability", sell),
  );
  const toggles = [
    ["checkbox", "Iced latte available", { subject: "item", id: "latte", soldOut: true }],
    ["checkbox", "Oat available", { subject: "choice", id: "Oat", soldOut: true }],
  ] as const;
  for (const [role, name, body] of toggles) {
    await user.click(await screen.findByRole(role, { name }));
    await waitFor(() => expect(sell).toHaveBeenCalledWith(body, expect.anything()));
    expect(screen.getByRole(role, { name })).not.toBeChecked();
  }
  expect(sell).toHaveBeenCalledWith({ subject: "choice", id: "Oat iced", soldOut: true }, expect.anything());
  const off = screen.getByRole("region", { name: "Sold out now" });
  await user.click(within(off).getByRole("button", { name: "Iced latte: available again" }));
  await user.click(screen.getByRole("button", { name: "Iced latte, Large available" }));
  await waitFor(() =>
    expect(sell).toHaveBeenLastCalledWith({ subject: "size", id: "Large", soldOut: true }, expect.anything()),
  );
  // The only size of an item is the item.
  expect(screen.queryByRole("button", { name: "Butter croissant, One available" })).not.toBeInTheDocument();
  server.use(mockPostError("/store-api/stores/{id}/availability", { status: 503, reason: "UNAVAILABLE" }));
  await user.click(screen.getByRole("checkbox", { name: "Butter croissant available" }));
  await waitFor(() =>
    expect(screen.getByRole("checkbox", { name: "Butter croissant available" })).toBeChecked(),
  );
});

it("offers to try again if the menu cannot be loaded", async () => {
  server.use(mockGetError("/store-api/stores/{id}/menu", { status: 500 }));
  const { user } = await openConsole([], "/sold-out");
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/store-api/stores/{id}/menu", menu));
  await user.click(again);
  expect(await screen.findByRole("checkbox", { name: "Iced latte available" })).toBeChecked();
});

it("finds switches by the name of an item, a choice or a group", async () => {
  const { user } = await openConsole([], "/sold-out");
  server.use(mockGet("/store-api/stores/{id}/menu", menu));
  const search = await screen.findByRole("searchbox", { name: "Find an item, size or choice" });
  await user.type(search, "milk");
  await waitFor(() => expect(screen.getAllByRole("checkbox")).toHaveLength(2));
  await user.clear(search);
  await user.type(search, "crois");
  expect(screen.getAllByRole("checkbox")).toHaveLength(1);
  await user.clear(search);
  await user.type(search, "pizza");
  expect(screen.getByText("Nothing on the menu matches.")).toBeInTheDocument();
});

it("delays the promised time of an order", async () => {
  const eta = { readyAt: soon, scheduled: false, timeZone: session.timeZone };
  const order = { ...making, eta };
  const { user } = await openConsole([order]);
  const delay = vi.fn((): StoreOrder => order);
  server.use(mockPost("/store-api/orders/{id}/delay", delay));
  await user.click(await screen.findByRole("button", { name: "Delay, K 47" }));
  const times = within(await screen.findByRole("radiogroup", { name: "New time" }));
  const [first, second] = times.getAllByRole("radio");
  await user.click(screen.getByRole("radio", { name: "Busy" }));
  expect(screen.getByRole("button", { name: "Choose a new time" })).toBeDisabled();
  await user.dblClick(first as HTMLElement);
  await user.click(second as HTMLElement);
  expect(delay).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: /^Delay to \d/ }));
  await waitFor(() => expect(delay).toHaveBeenCalledTimes(1));
  const [body] = (delay.mock.calls as unknown as [{ readyAt: string; reason: string }][])[0] ?? [];
  expect(Date.parse(body?.readyAt ?? "")).toBeGreaterThan(Date.parse(soon));
  expect(body?.reason).toBe("We're busier than we expected. Thanks for waiting.");
});

it("warns about scheduled orders outside the hours, and moves or rejects them", async () => {
  const { user } = await openConsole([], "/hours");
  const free = "2026-11-20T17:00:00Z";
  const move = vi.fn((): StoreOrder => makeStoreOrder("Scheduled"));
  server.use(
    mockScheduled([scheduledOrder(true)]),
    mockGet("/store-api/stores/{id}/schedule", schedule),
    mockGet("/store/pickup-options", {
      counter: true,
      curbside: false,
      earliestAt: null,
      earliestLocalTime: null,
      slots: [free],
      timeZone: session.timeZone,
    }),
    mockPost("/store-api/orders/{id}/reschedule", move),
  );
  expect(await screen.findByText("You're closed at this time")).toBeInTheDocument();
  expect(screen.getByText("1 scheduled order is outside your opening hours.")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Move, K 60" }));
  server.use(mockScheduled([scheduledOrder(false)]));
  await user.click(await screen.findByRole("radio", { name: /9:00 AM$/ }));
  expect(move).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: /^Move to .*9:00 AM$/ }));
  await waitFor(() =>
    expect(move).toHaveBeenCalledWith(
      { readyAt: free, reason: "Our opening hours changed, so we moved your order." },
      expect.anything(),
    ),
  );
  await waitFor(() => expect(screen.queryByText("You're closed at this time")).not.toBeInTheDocument());
});

it("moves an order with the reason that the staff choose", async () => {
  const { user } = await openConsole([], "/hours");
  const free = "2026-11-20T17:00:00Z";
  const tooLate =
    "The guest's payment expires before that time. Choose 9:00 AM on Friday, November 20 or earlier.";
  server.use(
    mockScheduled([scheduledOrder(false)]),
    mockGet("/store/pickup-options", {
      counter: true,
      curbside: false,
      earliestAt: null,
      earliestLocalTime: null,
      slots: [free],
      timeZone: session.timeZone,
    }),
    mockPostError("/store-api/orders/{id}/reschedule", {
      status: 422,
      reason: "PICKUP_TIME_TOO_LATE",
      errors: [tooLate],
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Move, K 60" }));
  await user.click(await screen.findByRole("radio", { name: /9:00 AM$/ }));
  await user.click(screen.getByRole("button", { name: /^Move to .*9:00 AM$/ }));
  expect(await screen.findByText(tooLate)).toBeInTheDocument();

  const move = vi.fn((): StoreOrder => makeStoreOrder("Scheduled"));
  server.use(mockPost("/store-api/orders/{id}/reschedule", move));
  await user.click(screen.getByRole("button", { name: "Move, K 60" }));
  const reasons = await screen.findByRole("radiogroup", { name: "Reason for the guest" });
  expect(within(reasons).getByRole("radio", { name: "No reason" })).toBeChecked();
  await user.click(within(reasons).getByRole("radio", { name: "Busy" }));
  await user.click(await screen.findByRole("radio", { name: /9:00 AM$/ }));
  await user.click(screen.getByRole("button", { name: /^Move to .*9:00 AM$/ }));
  await waitFor(() =>
    expect(move).toHaveBeenCalledWith(
      { readyAt: free, reason: "We have too many orders at that time, so we moved yours." },
      expect.anything(),
    ),
  );
});

it("shows the promised wait of new orders, and a shorter one with another barista", async () => {
  const { user } = await openConsole([]);
  const setBaristas = vi.fn(() => ({ ...schedule, shifts: [{ day: schedule.today, baristas: 3 }] }));
  const promise = await screen.findByText(/^New orders promised in/);
  expect(promise).toHaveTextContent("New orders promised in 8 min");
  server.use(
    mockPost("/store-api/stores/{id}/baristas", setBaristas),
    mockGet("/store-api/staff/session", { ...session, waitMinutes: 5 }),
  );
  const baristas = await screen.findByRole("group", { name: "Baristas on shift today" });
  await user.click(within(baristas).getByRole("button", { name: /^Add one/ }));
  await waitFor(() => expect(promise).toHaveTextContent("New orders promised in 5 min"));
  expect(setBaristas).toHaveBeenCalledWith({ baristas: 3, day: schedule.today }, expect.anything());
  expect(within(baristas).getByText("3")).toBeInTheDocument();
});

it("counts quick taps for more baristas, and sends the last number once", async () => {
  const { user, router } = await openConsole([]);
  const sent: unknown[] = [];
  server.use(
    mockPost("/store-api/stores/{id}/baristas", (body) => {
      sent.push(body);
      const { baristas } = body as { baristas: number };
      return { ...schedule, shifts: [{ day: schedule.today, baristas }] };
    }),
  );
  const group = await screen.findByRole("group", { name: "Baristas on shift today" });
  const more = within(group).getByRole("button", { name: /^Add one/ });
  await user.click(more);
  await user.click(more);
  expect(within(group).getByText("4")).toBeInTheDocument();
  await waitFor(() => expect(sent).toEqual([{ baristas: 4, day: schedule.today }]));
  await user.click(more);
  await act(() => router.navigate({ to: "/store-console/today" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ baristas: 5, day: schedule.today });
});

it("shows the previous number of baristas if it cannot be changed", async () => {
  const { user } = await openConsole([]);
  const errors = ["This isn't available right now."];
  server.use(mockPostError("/store-api/stores/{id}/baristas", { status: 503, errors }));
  const group = await screen.findByRole("group", { name: "Baristas on shift today" });
  await user.click(within(group).getByRole("button", { name: /^Add one/ }));
  expect(within(group).getByText("3")).toBeInTheDocument();
  await waitFor(() => expect(within(group).getByText("2")).toBeInTheDocument());
});

const tomorrow: Schedule = {
  ...schedule,
  today: "2026-11-21",
  shifts: [{ day: "2026-11-21", baristas: 4 }],
};

/** Opens the console with connected streams, so that it does not poll for changes of the store. */
async function openConnected() {
  MockEventSource.install();
  onTestFinished(() => void vi.unstubAllGlobals());
  const app = await openConsole([]);
  const group = await screen.findByRole("group", { name: "Baristas on shift today" });
  for (const source of MockEventSource.opened) source.connect();
  await vi.waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
  expect(within(group).getByText("2")).toBeInTheDocument();
  return { ...app, group };
}

it("shows the baristas of the next day after midnight, and changes those", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { user, group } = await openConnected();
  const setBaristas = vi.fn(() => tomorrow);
  server.use(
    mockGet("/store-api/stores/{id}/schedule", tomorrow),
    mockPost("/store-api/stores/{id}/baristas", setBaristas),
  );
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(await within(group).findByText("4")).toBeInTheDocument();
  await user.click(within(group).getByRole("button", { name: /^Add one/ }));
  const body = { baristas: 5, day: "2026-11-21" };
  await vi.waitFor(() => expect(setBaristas).toHaveBeenCalledWith(body, expect.anything()));
});

it("loads the schedule again after the server rejected the day of a change", async () => {
  const { user, group } = await openConnected();
  const errors = ["Choose a day from today on, up to a year ahead."];
  server.use(
    mockGet("/store-api/stores/{id}/schedule", tomorrow),
    mockPostError("/store-api/stores/{id}/baristas", { status: 422, errors }),
  );
  await user.click(within(group).getByRole("button", { name: /^Add one/ }));
  expect(await within(group).findByText("4")).toBeInTheDocument();
});

it("sets baristas, hours and a holiday, and lists the orders that the holiday affects", async () => {
  const { user } = await openConsole([], "/hours");
  const setBaristas = vi.fn(() => ({ ...schedule, shifts: [{ day: schedule.today, baristas: 3 }] }));
  const setWeek = vi.fn(() => ({ schedule, scheduled: { orders: [] } }));
  const closeDay = vi.fn(() => ({
    schedule: { ...schedule, specialDays: [{ day: "2026-11-26", name: "Thanksgiving", openings: [] }] },
    scheduled: { orders: [scheduledOrder(true)] },
  }));
  server.use(
    mockGet("/store-api/stores/{id}/schedule", schedule),
    mockPost("/store-api/stores/{id}/baristas", setBaristas),
    mockPost("/store-api/stores/{id}/hours", setWeek),
    mockPost("/store-api/stores/{id}/special-day", closeDay),
  );
  await user.click(await screen.findByRole("button", { name: "Add one: Baristas on shift today" }));
  await waitFor(() =>
    expect(setBaristas).toHaveBeenCalledWith({ baristas: 3, day: "2026-11-20" }, expect.anything()),
  );
  expect(await screen.findByText("About 7 drinks every five minutes")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Add hours, Tuesday" }));
  await user.click(screen.getByRole("button", { name: "Save hours" }));
  await waitFor(() =>
    expect(setWeek).toHaveBeenCalledWith(
      {
        week: [
          ...schedule.week,
          { weekday: 2, opensMinute: 480, closesMinute: 1080 },
          ...[3, 4, 5, 6, 7].map((weekday) => ({ weekday, opensMinute: 0, closesMinute: 0 })),
        ],
      },
      expect.anything(),
    ),
  );

  server.use(mockScheduled([scheduledOrder(true)]));
  await user.type(screen.getByLabelText("Day"), "2026-11-26");
  await user.type(screen.getByLabelText("Name (optional)"), "Thanksgiving");
  await user.click(screen.getByRole("button", { name: "Close on this day" }));
  expect(await screen.findByText("Thu, Nov 26, Thanksgiving")).toBeInTheDocument();
  expect(screen.getByText("1 scheduled order is outside your opening hours.")).toBeInTheDocument();
  expect(closeDay).toHaveBeenCalledWith(
    { day: "2026-11-26", name: "Thanksgiving", openings: [] },
    expect.anything(),
  );
});

it("saves the hours while the scheduled orders are unavailable, and reads those afterwards", async () => {
  const { user } = await openConsole([], "/hours");
  server.use(
    mockGet("/store-api/stores/{id}/schedule", schedule),
    mockPost("/store-api/stores/{id}/special-day", () => ({
      schedule: { ...schedule, specialDays: [{ day: "2026-11-26", name: "", openings: [] }] },
      scheduled: null,
    })),
  );
  await user.type(await screen.findByLabelText("Day"), "2026-11-26");
  server.use(mockScheduled([scheduledOrder(true)]));
  await user.click(screen.getByRole("button", { name: "Close on this day" }));
  expect(
    await screen.findByText("Special day saved. We couldn't check the scheduled orders."),
  ).toBeInTheDocument();
  expect(screen.getByText("Thu, Nov 26")).toBeInTheDocument();
  expect(await screen.findByText("1 scheduled order is outside your opening hours.")).toBeInTheDocument();
});

it("offers to try again if the hours cannot be loaded", async () => {
  const broken = mockGetError("/store-api/stores/{id}/schedule", { status: 500 });
  const { user } = await openConsole([], "/hours", broken);
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/store-api/stores/{id}/schedule", schedule));
  await user.click(again);
  expect(await screen.findByRole("heading", { name: "Opening hours" })).toBeInTheDocument();
});

it("shows the figures of the day and the load of the next hour, without amounts", async () => {
  const { container } = await openConsole([], "/today");
  expect(await screen.findByText("96%")).toBeInTheDocument();
  for (const text of ["64", "62 of 64", "6 min", "90", "4.8", "3 ratings"]) {
    expect(screen.getByText(text)).toBeInTheDocument();
  }
  expect(await screen.findByText("Bar load, next hour: full at 8:30, 8:35.")).toBeInTheDocument();
  expect(container.textContent).not.toContain("$");
});

it("plays the sound of a new order on every page unless it is off", async () => {
  const { user, queryClient } = await openConsole([], "/sold-out");
  server.use(mockGet("/store-api/stores/{id}/menu", menu));
  const toggle = await screen.findByRole("button", { name: "Sound for new orders" });
  expect(toggle).toHaveAttribute("aria-pressed", "true");
  await user.click(toggle);
  expect(toggle).toHaveAttribute("aria-pressed", "false");
  expect(device.consoleMuted.get()).toBe(true);
  queryClient.setQueryData(consoleKeys.queue(session.storeId), [placed]);
  expect(await screen.findByText("Live, 1 order on the board")).toBeInTheDocument();
});
