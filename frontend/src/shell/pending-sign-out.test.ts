import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { read, write } from "@/api/client";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";
import { repeatSignOut } from "./pending-sign-out";
import { sessionQuery } from "./queries";

let stop = () => {};
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

/** Counts the sign-outs that reach the server. */
function countSignOuts(): () => number {
  let count = 0;
  server.use(
    mockPost("/authentication/logout", () => {
      count += 1;
      return {};
    }),
  );
  return () => count;
}

it("treats a consumer as signed out whose sign-out has not reached the server", async () => {
  device.signOutPending.set(true);
  const { router, queryClient } = await renderRoute("/account", { session: maya });
  expect(router.state.location.pathname).toBe("/sign-in/getting-started");
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
});

describe("if the gateway has exchanged a hand-over code for the page", () => {
  /** Responds with a session that was started at this time. The clock of the device is ahead of the server's by `clockLead` minutes. */
  function mockSession(signedInAt: string, clockLead = 0) {
    device.signOutPending.set(true);
    device.signedOutAt.set("2026-11-20T16:00:00Z");
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ redirectCount: 1 } as never]);
    const current = { sessionId: "s2", isCurrent: true, deviceName: "", lastSeenAt: signedInAt, signedInAt };
    const headers = { date: new Date(Date.now() - clockLead * 60_000).toUTCString() };
    const data = { sessions: [current], knownDevices: [] };
    server.use(
      http.get("*/api/consumer/user/sessions", () =>
        HttpResponse.json({ success: true, data, errors: [] }, { headers }),
      ),
    );
    return countSignOuts();
  }

  it.each([
    ["", "2026-11-20T16:01:00Z", 0],
    [" if the clock of the device is fast", "2026-11-20T15:51:00Z", 10],
  ])("keeps the new session%s", async (_, signedInAt, clockLead) => {
    mockAccount();
    const signOuts = mockSession(signedInAt, clockLead);
    stop = repeatSignOut();
    const { router } = await renderRoute("/account", { session: maya });
    await waitFor(() => expect(device.signOutPending.get()).toBe(false));
    expect(router.state.location.pathname).toBe("/account");
    expect(signOuts()).toBe(0);
  });

  it("ends the session from before the sign-out, if the code was invalid", async () => {
    const signOuts = mockSession("2026-11-20T15:59:00Z");
    const { router } = await renderRoute("/account", { session: maya });
    expect(router.state.location.pathname).toBe("/sign-in/getting-started");
    stop = repeatSignOut();
    await waitFor(() => expect(device.signOutPending.get()).toBe(false));
    expect(signOuts()).toBe(1);
  });
});

it("sends calls without the session while the sign-out is pending", async () => {
  server.use(http.all("*", () => HttpResponse.json({ success: true, data: {}, errors: [] })));
  const fetched = vi.spyOn(globalThis, "fetch");
  device.signOutPending.set(true);
  await read("/stores/list", {});
  await write("/authentication/logout", undefined);
  await write("/store-api/staff/sign-out", undefined);
  device.signOutPending.clear();
  await read("/stores/list", {});
  expect(fetched.mock.calls.map(([path, init]) => [path, init?.credentials])).toEqual([
    ["/api/consumer/stores/list", "omit"],
    ["/api/consumer/authentication/logout", "include"],
    ["/store-api/staff/sign-out", "include"],
    ["/api/consumer/stores/list", "include"],
  ]);
});

it("repeats the sign-out at the start and when the network is back", async () => {
  let signOuts = 0;
  server.use(
    http.post("*/authentication/logout", () => {
      signOuts += 1;
      const success = signOuts > 1;
      return HttpResponse.json({ success, data: {}, errors: [] }, { status: success ? 200 : 503 });
    }),
  );
  device.signOutPending.set(true);
  stop = repeatSignOut();
  await waitFor(() => expect(signOuts).toBe(1));
  expect(device.signOutPending.get()).toBe(true);
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(device.signOutPending.get()).toBe(false));
  window.dispatchEvent(new Event("online"));
  expect(signOuts).toBe(2);
});

it("signs out once if the sign-out succeeded", async () => {
  mockAccount();
  const signOuts = countSignOuts();
  const { user, router } = await renderRoute("/account", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Sign out" }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
  await waitFor(() => expect(device.signOutPending.get()).toBe(false));
  stop = repeatSignOut();
  expect(signOuts()).toBe(1);
});

it("treats an ended session as a successful sign-out", async () => {
  server.use(mockPostError("/authentication/logout", { status: 401, reason: "UNAUTHENTICATED" }));
  device.signOutPending.set(true);
  stop = repeatSignOut();
  await waitFor(() => expect(device.signOutPending.get()).toBe(false));
});
