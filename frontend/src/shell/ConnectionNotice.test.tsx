import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { cachedAt } from "@/api/cached-responses";
import type { GetData } from "@/api/contract";
import { cents } from "@/lib/money";
import { addFundsOptions, joePassBalance } from "@/testing/gift-cards";
import { holdTimers } from "@/testing/hold-timers";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { showConnectionNotice } from "./ConnectionNotice";
import { unseenCountQuery } from "./queries";

const TROUBLE = "We're having trouble connecting. Showing your last update.";
const OFFLINE = "You're offline. Showing your last update.";

let stop = () => {};

/** Responds with a balance, which the service worker took from its cache. Returns the number of requests. */
function serveBalance(dollars: number, isCached: boolean) {
  const requested = vi.fn();
  server.use(
    http.get("*/api/consumer/user/my-joe", () => {
      requested();
      const balances = [{ ...joePassBalance, balance: cents(dollars * 100) }];
      const data = { profile: null, points: null, balances, unavailable: [] };
      const headers = isCached ? { "x-cached": "1" } : {};
      return HttpResponse.json({ success: true, data, errors: [] }, { headers });
    }),
  );
  return requested;
}

async function openMyJoe() {
  const app = await renderRoute("/my-joe", { session: maya });
  act(() => {
    stop = showConnectionNotice(app.router, app.queryClient);
  });
  return app;
}

const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  return act(async () => void window.dispatchEvent(new Event(isOnline ? "online" : "offline")));
};

/** Runs all held timers, because React Query's stale timers can have the same delay as the notice's. */
const runAll = (timers: (() => void)[]) => act(async () => timers.splice(0).forEach((run) => void run()));

beforeEach(() =>
  server.use(
    mockGet("/user/wallet/add-funds", addFundsOptions),
    mockGet("/user/transaction-history", { transactions: [] }),
    mockGet("/user/orders", { orders: [] }),
  ),
);
afterEach(() => {
  act(stop);
  cachedAt.clear();
});

it("says that the screen shows a cached response, and fetches it until the network responds", async () => {
  const first = holdTimers(5_000);
  serveBalance(5, true);
  await openMyJoe();
  expect(await screen.findByText(TROUBLE)).toBeInTheDocument();
  expect(await screen.findByText("$5.00")).toBeInTheDocument();
  const again = serveBalance(5, true);
  vi.restoreAllMocks();
  const second = holdTimers(10_000);
  await runAll(first);
  await waitFor(() => expect(second).toHaveLength(1));
  expect(again).toHaveBeenCalledOnce();
  expect(screen.getByText(TROUBLE)).toBeInTheDocument();
  serveBalance(30, false);
  await runAll(second);
  expect(await screen.findByText("$30.00")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(TROUBLE)).toBeNull());
});

it("mentions no last update while the screen still loads", async () => {
  holdTimers(5_000);
  const balances = Promise.withResolvers<GetData<"/user/my-joe">>();
  server.use(
    http.get("*/api/consumer/inbox/list", () =>
      HttpResponse.json(
        { success: true, data: { messages: [], total: 0, unseen: 0 }, errors: [] },
        { headers: { "x-cached": "1" } },
      ),
    ),
    mockGet("/user/my-joe", balances.promise),
  );
  const { queryClient } = await openMyJoe();
  await act(() => queryClient.fetchQuery(unseenCountQuery));
  expect(await screen.findByText("We're having trouble connecting.")).toBeInTheDocument();
  expect(screen.queryByText(/last update/)).toBeNull();
  balances.resolve({ profile: null, points: null, balances: [joePassBalance], unavailable: [] });
  expect(await screen.findByText(TROUBLE)).toBeInTheDocument();
});

it("mentions no last update above an error", async () => {
  server.use(mockGetError("/user/my-joe", { status: 500 }));
  await openMyJoe();
  await screen.findByRole("heading", { name: "We couldn't load this page" });
  await setOnline(false);
  expect(await screen.findByText("You're offline.")).toBeInTheDocument();
  expect(screen.queryByText(/last update/)).toBeNull();
});

it("shows no notice for responses of the network", async () => {
  serveBalance(5, false);
  await openMyJoe();
  expect(await screen.findByText("$5.00")).toBeInTheDocument();
  expect(screen.queryByText(TROUBLE)).toBeNull();
});

it("forgets the response of a screen that the consumer left, and fetches it for the next visit", async () => {
  const timers = holdTimers(5_000);
  serveBalance(5, true);
  const { router } = await openMyJoe();
  await screen.findByText(TROUBLE);
  await act(() => router.navigate({ to: "/lp/error" }));
  await screen.findByRole("heading", { name: "Something went wrong" });
  expect(screen.getByText(TROUBLE)).toBeInTheDocument();
  await runAll(timers);
  await waitFor(() => expect(screen.queryByText(TROUBLE)).toBeNull());
  serveBalance(30, false);
  await act(() => router.navigate({ to: "/my-joe" }));
  expect(await screen.findByText("$30.00")).toBeInTheDocument();
});

it("fetches the screen at once when the device is online again", async () => {
  serveBalance(5, true);
  await openMyJoe();
  await screen.findByText(TROUBLE);
  await setOnline(false);
  expect(await screen.findByText(OFFLINE)).toBeInTheDocument();
  serveBalance(30, false);
  await setOnline(true);
  expect(await screen.findByText("$30.00")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(OFFLINE)).toBeNull());
  expect(screen.queryByText(TROUBLE)).toBeNull();
});

it("says that the device is offline, also without cached responses", async () => {
  serveBalance(5, false);
  await openMyJoe();
  await screen.findByText("$5.00");
  await setOnline(false);
  expect(await screen.findByText(OFFLINE)).toBeInTheDocument();
  await setOnline(true);
  await waitFor(() => expect(screen.queryByText(OFFLINE)).toBeNull());
});
