import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { cartItem } from "@/state/cart";
import { device } from "@/state/device";
import { getIdempotencyKey } from "@/state/idempotency";
import { cart } from "@/testing/cart";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";
import { handleEndedSession } from "./error-handlers";
import { modals } from "./modals";
import { sessionQuery } from "./queries";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));
vi.mock("./error-reports", () => ({ report: vi.fn() }));

it("handles a 401 of a query as the generic handler does, and returns to the screen after sign-in", async () => {
  server.use(
    mockGetError("/inbox/list", { status: 401, reason: "UNAUTHENTICATED" }),
    mockGetError("/user/my-joe", { status: 401, reason: "UNAUTHENTICATED" }),
  );
  cartItem.set(cart);
  getIdempotencyKey("pm_1", "card", 100);
  modals.open("rate", "content");
  const { router, queryClient } = await renderRoute("/inbox", { session: maya });
  await screen.findByLabelText("Mobile number");
  await waitFor(() => expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Finbox"));
  expect(device.idempotency.get()).toEqual({});
  expect(cartItem.get().items).toEqual([]);
  expect(modals.isOpen()).toBe(false);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
});

const message = {
  messageId: "m1",
  kind: "points_earned",
  title: "10 points earned",
  body: "For your order at Sunset & Maltman.",
  at: "2026-11-20T16:40:00Z",
  seen: true,
  orderId: null,
};
const unauthorized = { status: 401, reason: "UNAUTHENTICATED" };

type App = Awaited<ReturnType<typeof renderRoute>>;

describe("a 401 of a mutation", () => {
  beforeEach(() => server.use(mockPost("/user/save-cart", () => ({ cart: null, savedAt: null }))));

  const signInAgain = async ({ router, queryClient }: App) => {
    const notice = await screen.findByText(/^Your session ended/);
    const hasItems = cartItem.get().items.length > 0;
    expect(notice.textContent?.includes("Your cart is still here.")).toBe(hasItems);
    expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
    return router.state.location.search;
  };

  const openCodeForm = ({ router }: App, next?: string) => {
    const signIn = { phone: "+12135550142", resendAfterSeconds: 30 };
    return act(() => router.navigate({ to: "/sign-in/verify", search: { next }, state: { signIn } }));
  };

  it("requests a new code, and returns to the form", async () => {
    const login = { phone: "+12135550142", resendAfterSeconds: 30, expiresAfterSeconds: 600 };
    server.use(
      mockPostError("/user/gift-card", unauthorized),
      mockPost("/authentication/login", () => login),
    );
    cartItem.set(cart);
    const app = await renderRoute("/wallet/redeem", { session: maya });
    await app.user.type(await screen.findByLabelText("Gift card code"), "ABCD");
    await app.user.click(screen.getByRole("button", { name: "Add to my wallet" }));
    expect(await signInAgain(app)).toEqual({ next: "/wallet/redeem", reason: "session-ended" });
    expect(cartItem.get().items).toEqual(cart.items);
    await app.user.type(screen.getByLabelText("Mobile number"), "2135550142");
    await app.user.click(screen.getByRole("button", { name: /code/i }));
    expect(await screen.findByLabelText("Six-digit code")).toBeInTheDocument();
  });

  it("ends the session while a physical card is linked", async () => {
    server.use(mockPostError("/gift-card/link-gift-card", unauthorized));
    const app = await renderRoute("/gift-cards/link", { session: maya });
    await app.user.type(await screen.findByLabelText("Card number"), "6000");
    await app.user.click(screen.getByRole("button", { name: "Add to my wallet" }));
    expect(await signInAgain(app)).toMatchObject({ next: "/gift-cards/link" });
  });

  it("ends the session while a new consumer enters the name, and returns to the screen before", async () => {
    server.use(mockPostError("/user/name", unauthorized));
    const session = { ...maya, firstName: "" };
    const app = await renderRoute("/sign-in/getting-started", { session });
    await openCodeForm(app, "/cart");
    await app.user.type(await screen.findByLabelText("First name"), "Maya");
    await app.user.click(screen.getByRole("button", { name: "Start ordering" }));
    expect(await signInAgain(app)).toMatchObject({ next: "/cart" });
  });

  it("does not concern a wrong code, which is no session", async () => {
    server.use(
      mockPostError("/authentication/verify", { ...unauthorized, errors: ["That code is incorrect."] }),
    );
    const app = await renderRoute("/sign-in/getting-started");
    await openCodeForm(app);
    await app.user.type(await screen.findByLabelText("Six-digit code"), "123456");
    expect(await screen.findByText("That code is incorrect.")).toBeInTheDocument();
    expect(app.router.state.location.pathname).toBe("/sign-in/verify");
  });

  it("opens sign-in once if two mutations fail", async () => {
    server.use(mockPostError("/user/gift-card", unauthorized));
    const app = await renderRoute("/wallet/redeem", { session: maya });
    await app.user.type(await screen.findByLabelText("Gift card code"), "ABCD");
    await app.user.click(screen.getByRole("button", { name: "Add to my wallet" }));
    const search = await signInAgain(app);
    const entries = app.router.history.length;
    act(() => handleEndedSession(app.router, app.queryClient));
    expect(app.router.state.location.search).toEqual(search);
    expect(app.router.history.length).toBe(entries);
  });

  it("does not open sign-in when messages are marked as seen in the background", async () => {
    mockAccount();
    server.use(
      mockGet("/inbox/list", { messages: [{ ...message, seen: false }], total: 1, unseen: 1 }),
      mockPostError("/inbox/mark-as-seen", unauthorized),
    );
    const { router, queryClient } = await renderRoute("/inbox", { session: maya });
    await screen.findByText(message.title);
    await act(() => router.navigate({ to: "/account" }));
    const failed = () => queryClient.getMutationCache().findAll({ status: "error" });
    await waitFor(() => expect(failed()).toHaveLength(1));
    expect(router.state.location.pathname).toBe("/account");
    expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(maya);
  });

  it("of a mutation without a form resets the cart, as the generic handler does", async () => {
    server.use(
      mockGet("/inbox/list", { messages: [message], total: 1, unseen: 0 }),
      mockPostError("/inbox/remove", unauthorized),
      mockPost("/inbox/mark-as-seen", () => ({ unseen: 0 })),
    );
    cartItem.set(cart);
    const { user, router, queryClient } = await renderRoute("/inbox", { session: maya });
    await user.click(await screen.findByRole("button", { name: /^Remove/ }));
    await screen.findByLabelText("Mobile number");
    expect(router.state.location.search).toEqual({ next: "/inbox" });
    expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
    expect(cartItem.get().items).toEqual([]);
  });
});
