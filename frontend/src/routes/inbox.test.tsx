import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Message } from "@/features/inbox/queries";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, server } from "@/testing/server";

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
