import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import type { Message } from "@/features/inbox/queries";
import { cents } from "@/lib/money";
import { addFundsOptions } from "@/testing/gift-cards";
import { visa } from "@/testing/payment-method";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";

const message = (n: number, overrides: Partial<Message> = {}): Message => ({
  messageId: `m${n}`,
  kind: "points_earned",
  title: `${n}0 points earned`,
  body: "For your order at Sunset & Maltman.",
  at: "2026-11-20T16:40:00Z",
  seen: true,
  orderId: null,
  ...overrides,
});

it("tags new messages and marks them as seen when leaving the screen", async () => {
  const markSeen = vi.fn(() => ({ unseen: 0 }));
  mockAccount();
  server.use(
    mockGet("/inbox/list", { messages: [message(9, { seen: false }), message(3)], total: 2, unseen: 1 }),
    mockPost("/inbox/mark-as-seen", markSeen),
  );
  const { router } = await renderRoute("/inbox", { session: maya });
  expect(await screen.findByText("90 points earned")).toBeInTheDocument();
  expect(screen.getAllByText("New")).toHaveLength(1);
  expect(markSeen).not.toHaveBeenCalled();
  await router.navigate({ to: "/account" });
  await waitFor(() => expect(markSeen).toHaveBeenCalledWith({ messageIds: ["m9"] }, expect.anything()));
});

it("opens the failed payments from the message about a debt", async () => {
  const owed = {
    paymentIntentId: "dbt_1",
    created: "2026-11-14T16:12:00Z",
    name: "Sunset & Maltman",
    orderId: "order-1",
    total: cents(1185),
    insufficientFundsPenaltyFee: cents(500),
    items: [],
  };
  const debt = message(9, { kind: "debt_created", title: "You owe $16.85" });
  server.use(
    mockGet("/inbox/list", { messages: [debt, message(3)], total: 2, unseen: 0 }),
    mockGet("/payment/failed-payments", { list: [owed], totalOwed: 1685, recoveredOrderIds: [] }),
    mockGet("/payments/list", { paymentMethods: [visa] }),
  );
  const { user } = await renderRoute("/inbox", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Pay now" }));
  expect(await screen.findByRole("dialog", { name: "We have a problem" })).toBeInTheDocument();
});

it("shows an error if what is owed cannot be fetched", async () => {
  const debt = message(9, { kind: "debt_created", title: "You owe $16.85" });
  server.use(
    mockGet("/inbox/list", { messages: [debt], total: 1, unseen: 0 }),
    mockGetError("/payment/failed-payments", { status: 503 }),
    mockGet("/payments/list", { paymentMethods: [visa] }),
  );
  const { user } = await renderRoute("/inbox", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Pay now" }));
  expect(await screen.findByText(/Please try again shortly/)).toBeInTheDocument();
});

it("leads from a received gift card to the screen that redeems it", async () => {
  const received = message(9, { kind: "gift_card_received", title: "You got a gift card" });
  const sent = message(3, { kind: "gift_card_delivered", title: "Your gift card was sent" });
  server.use(mockGet("/inbox/list", { messages: [received, sent], total: 2, unseen: 0 }));
  await renderRoute("/inbox", { session: maya });
  const item = (await screen.findByText("You got a gift card")).closest("li");
  const link = within(item as HTMLElement).getByRole("link", { name: "Redeem your gift card" });
  expect(link).toHaveAttribute("href", "/wallet/redeem");
  expect(item?.querySelector("svg.lucide-gift")).not.toBeNull();
  expect(screen.getAllByRole("link", { name: "Redeem your gift card" })).toHaveLength(1);
});

it("pauses auto-reload with one tap from the message about a reload", async () => {
  const rule = {
    enabled: true,
    threshold: cents(500),
    amount: cents(2500),
    paymentMethodId: "pay_visa",
    pausedUntil: null,
    frozenUntil: null,
  };
  const rules = vi.fn(() => rule);
  server.use(
    mockGet("/inbox/list", {
      messages: [message(9, { kind: "auto_reloaded", title: "We added $25.00 to JoePass" }), message(3)],
      total: 2,
      unseen: 0,
    }),
    mockGet("/user/wallet/add-funds", { ...addFundsOptions, autoReload: rule }),
    mockPost("/user/settings/autoReload", rules),
  );
  const { user } = await renderRoute("/inbox", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Pause auto-reload" }));
  await waitFor(() => expect(rules).toHaveBeenCalledOnce());
  const [body] = rules.mock.calls[0] as unknown as [
    { pausedUntil: string; enabled: boolean; amount: number },
  ];
  expect(body).toMatchObject({ enabled: true, amount: 2500, threshold: 500, paymentMethodId: "pay_visa" });
  expect(Date.parse(body.pausedUntil)).toBeGreaterThan(Date.now());
});

it.each([
  ["auto_reload_failed", "Auto-reload settings", "/wallet/auto-reload"],
  ["purchase_returned", "See your balance", "/my-joe"],
])("leads from the message %s to %s", async (kind, name, path) => {
  const failed = message(9, { kind, title: "We couldn't add $20.00 to JoePass" });
  server.use(mockGet("/inbox/list", { messages: [failed], total: 1, unseen: 0 }));
  await renderRoute("/inbox", { session: maya });
  expect(await screen.findByRole("link", { name })).toHaveAttribute("href", path);
});

it("removes a message immediately", async () => {
  server.use(mockGet("/inbox/list", { messages: [message(9)], total: 1, unseen: 0 }));
  const { user } = await renderRoute("/inbox", { session: maya });
  await screen.findByText("90 points earned");
  const remove = vi.fn(() => ({ unseen: 0 }));
  server.use(
    mockPost("/inbox/remove", remove),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
  );
  await user.click(screen.getByRole("button", { name: "Remove: 90 points earned" }));
  expect(await screen.findByText("No messages yet")).toBeInTheDocument();
  expect(remove).toHaveBeenCalledWith({ messageIds: ["m9"] }, expect.anything());
});

it("moves the focus to the next message when one is removed, and to the heading after the last one", async () => {
  server.use(
    mockGet("/inbox/list", { messages: [message(9), message(3)], total: 2, unseen: 0 }),
    mockPost("/inbox/remove", () => ({ unseen: 0 })),
  );
  const { user } = await renderRoute("/inbox", { session: maya });
  const remove = (title: string) => screen.findByRole("button", { name: `Remove: ${title}` });
  const first = await remove("90 points earned");
  server.use(mockGet("/inbox/list", { messages: [message(3)], total: 1, unseen: 0 }));
  await user.click(first);
  await waitFor(async () => expect(await remove("30 points earned")).toHaveFocus());
  server.use(mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }));
  await user.keyboard("{Enter}");
  await screen.findByText("No messages yet");
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveFocus());
});

it("loads older messages page by page", async () => {
  const skips: (string | null)[] = [];
  server.use(
    http.get("*/api/consumer/inbox/list", ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [take, skip] = [Number(query.get("take")), Number(query.get("skip"))];
      if (take === 5) skips.push(query.get("skip"));
      const messages = Array.from({ length: Math.min(take, 7 - skip) }, (_, n) => message(skip + n + 1));
      return HttpResponse.json({ success: true, data: { messages, total: 7, unseen: 0 }, errors: [] });
    }),
  );
  const { user } = await renderRoute("/inbox", { session: maya });
  const list = await screen.findByRole("list", { name: "Messages" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(5);
  await user.click(screen.getByRole("button", { name: "Show older messages" }));
  await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(7));
  expect(screen.queryByRole("button", { name: "Show older messages" })).toBeNull();
  expect(skips).toEqual(["0", "5"]);
});

it("keeps the messages if older ones cannot be loaded", async () => {
  server.use(mockGet("/inbox/list", { messages: [message(9)], total: 2, unseen: 0 }));
  const { user } = await renderRoute("/inbox", { session: maya });
  const older = await screen.findByRole("button", { name: "Show older messages" });
  server.use(mockGetError("/inbox/list", { status: 500 }));
  await user.click(older);
  expect(await screen.findByRole("alert")).toHaveTextContent(/went wrong on our side/);
  expect(screen.getByText("90 points earned")).toBeInTheDocument();
});

it("marks all messages as seen", async () => {
  const markSeen = vi.fn(() => ({ unseen: 0 }));
  server.use(
    mockGet("/inbox/list", { messages: [message(9, { seen: false })], total: 8, unseen: 3 }),
    mockPost("/inbox/mark-as-seen", markSeen),
  );
  const { user } = await renderRoute("/inbox", { session: maya });
  expect(await screen.findByText("3 new messages")).toBeInTheDocument();
  server.use(mockGet("/inbox/list", { messages: [message(9)], total: 8, unseen: 0 }));
  await user.click(screen.getByRole("button", { name: "Mark all as seen" }));
  await waitFor(() => expect(screen.queryByText("3 new messages")).toBeNull());
  expect(markSeen).toHaveBeenCalledWith({ messageIds: [] }, expect.anything());
  expect(screen.queryByText("New")).toBeNull();
});

it("offers to try again if the inbox cannot be loaded", async () => {
  server.use(mockGetError("/inbox/list", { status: 500 }));
  const { user } = await renderRoute("/inbox", { session: maya });
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/inbox/list", { messages: [message(9)], total: 1, unseen: 0 }));
  await user.click(again);
  expect(await screen.findByText("90 points earned")).toBeInTheDocument();
});
