import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { device } from "@/state/device";
import { onTestEnd } from "@/testing/cleanups";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { mockAccount, settings } from "@/testing/settings";
import { followOtherTabs } from "./other-tabs";
import { sessionQuery, settingsKey, walletKeys } from "./queries";

const ada = { ...maya, id: "consumer-ada", firstName: "Ada" };
const KEY = "order-ahead.user";

beforeEach(mockAccount);

async function openAccount() {
  const app = await renderRoute("/account", { session: maya });
  await screen.findByRole("heading", { name: "Maya Okafor" });
  onTestEnd(followOtherTabs(app.router, app.queryClient));
  app.queryClient.setQueryData(walletKeys.myJoe, "Maya's");
  return app;
}

/** Another tab stores this consumer. */
function storeUser(user: typeof maya | null, event: Event = new StorageEvent("storage", { key: KEY })): void {
  if (user) localStorage.setItem(KEY, JSON.stringify({ version: 1, value: user }));
  else localStorage.removeItem(KEY);
  act(() => void window.dispatchEvent(event));
}

const unauthorized = mockGetError("/user/profile", { status: 401, reason: "UNAUTHENTICATED" });

it("shows the consumer who signed in in another tab, and nothing of the previous one", async () => {
  const { queryClient } = await openAccount();
  server.use(mockGet("/user/profile", ada));
  storeUser(ada);
  expect(await screen.findByRole("heading", { name: "Ada Okafor" })).toBeInTheDocument();
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(ada);
  expect(queryClient.getQueryData(walletKeys.myJoe)).toBeUndefined();
  await waitFor(() => expect(queryClient.getQueryData(settingsKey)).toEqual(settings));
});

it("signs out with another tab", async () => {
  const { queryClient, router } = await openAccount();
  server.use(unauthorized);
  storeUser(null);
  await waitFor(() => expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Faccount"));
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
  expect(queryClient.getQueryData(walletKeys.myJoe)).toBeUndefined();
});

it("keeps what is loaded when another tab stores the same consumer", async () => {
  const { queryClient } = await openAccount();
  storeUser({ ...maya, points: 500 });
  expect(device.user.get()?.points).toBe(500);
  expect(queryClient.getQueryData(walletKeys.myJoe)).toBe("Maya's");
});

it("signs out if another tab did while this one was in the back/forward cache", async () => {
  const { queryClient, router } = await openAccount();
  server.use(unauthorized);
  storeUser(null, new PageTransitionEvent("pageshow", { persisted: true }));
  await waitFor(() => expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Faccount"));
  expect(queryClient.getQueryData(walletKeys.myJoe)).toBeUndefined();
});

it("signs out if another tab did while this one started", async () => {
  const { queryClient, router } = await renderRoute("/account", { session: maya });
  await screen.findByRole("heading", { name: "Maya Okafor" });
  server.use(unauthorized);
  storeUser(null);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(maya);
  onTestEnd(followOtherTabs(router, queryClient));
  await waitFor(() => expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Faccount"));
});
