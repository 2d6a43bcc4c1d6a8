import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { read, write } from "@/api/client";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";
import { repeatSignOut } from "./pending-sign-out";
import { sessionQuery } from "./queries";

let stop = () => {};
afterEach(() => stop());

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

it("sends calls without the session until then", async () => {
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

it("takes an ended session for a success", async () => {
  server.use(mockPostError("/authentication/logout", { status: 401, reason: "UNAUTHENTICATED" }));
  device.signOutPending.set(true);
  stop = repeatSignOut();
  await waitFor(() => expect(device.signOutPending.get()).toBe(false));
});
