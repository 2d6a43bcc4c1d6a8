import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { offersQuery } from "@/features/offers/queries";
import type { Profile } from "@/shell/queries";
import { sessionQuery } from "@/shell/queries";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";
import { toast } from "@/ui/toast";
import { followAddressParameters } from "./address-parameters";
import { repeatSignOut } from "./pending-sign-out";

vi.mock("@/ui/toast", () => ({ toast: vi.fn() }));

let stop = () => {};
afterEach(() => {
  stop();
  vi.mocked(toast).mockClear();
});

const CALL = "/authentication/exchange-hand-over-code";
const ada: Profile = { ...maya, id: "consumer-ada", firstName: "Ada" };

async function open(url: string, options: Parameters<typeof renderRoute>[1] = {}) {
  const app = await renderRoute(url, options);
  stop = followAddressParameters(app.router, app.queryClient, url.slice(url.indexOf("?")));
  return app;
}

/** Accepts each code, and returns the requests. */
function acceptCodes(profile: Profile): unknown[] {
  const sent: unknown[] = [];
  server.use(
    mockPost(CALL, (body) => {
      sent.push(body);
      return { profile, isNew: false, needsName: false };
    }),
  );
  return sent;
}

it("exchanges the code of the session parameter, and removes it from the URL", async () => {
  const sent = acceptCodes(maya);
  const { router, queryClient } = await open("/lp/error?a=1&session=code-1");
  await waitFor(() => expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(maya));
  expect(sent).toEqual([{ code: "code-1", replacesConsumer: false }]);
  expect(router.history.location.href).toBe("/lp/error?a=1");
  expect(device.user.get()?.id).toBe(maya.id);
});

it("exchanges a code after a route change as well", async () => {
  const sent = acceptCodes(maya);
  const { router } = await open("/lp/error");
  router.history.push("/lp/error?session=code-2");
  await waitFor(() => expect(sent).toEqual([{ code: "code-2", replacesConsumer: false }]));
  await waitFor(() => expect(router.history.location.href).not.toContain("session"));
});

it("signs in another consumer only after a confirmation", async () => {
  device.user.set({ ...maya, points: 1 });
  server.use(mockPostError(CALL, { status: 409, reason: "OTHER_CONSUMER_SIGNED_IN" }));
  const { user, queryClient } = await open("/lp/error?session=code-3");
  await screen.findByRole("dialog", { name: "Switch accounts?" });
  const sent = acceptCodes(ada);
  await user.click(screen.getByRole("button", { name: "Switch accounts" }));
  await waitFor(() => expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(ada));
  expect(sent).toEqual([{ code: "code-3", replacesConsumer: true }]);
  expect(device.user.get()?.id).toBe(ada.id);
});

it("repeats no sign-out while it exchanges a code", async () => {
  device.signOutPending.set(true);
  let signOuts = 0;
  const held = Promise.withResolvers<void>();
  const requests = vi.fn();
  server.use(
    http.post("*/authentication/logout", () => {
      signOuts += 1;
      return HttpResponse.json({ success: false, data: null, errors: [] }, { status: 503 });
    }),
    http.post(`*${CALL}`, async () => {
      requests();
      await held.promise;
      const data = { profile: maya, isNew: false, needsName: false };
      return HttpResponse.json({ success: true, data, errors: [] });
    }),
  );
  const { queryClient } = await open("/lp/error?session=code-4");
  await waitFor(() => expect(requests).toHaveBeenCalled());
  const stopRepeating = repeatSignOut();
  window.dispatchEvent(new Event("online"));
  held.resolve();
  await waitFor(() => expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(maya));
  window.dispatchEvent(new Event("online"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  stopRepeating();
  expect(signOuts).toBe(1);
});

it("shows why a code does not work", async () => {
  server.use(mockPostError(CALL, { status: 422, reason: "HAND_OVER_CODE_INVALID", errors: ["Expired."] }));
  await open("/lp/error?session=old");
  await waitFor(() => expect(toast).toHaveBeenCalledWith("Expired.", "error"));
});

it.each([
  [`/lp/error?bookmark=${encodeURIComponent('{"url":"/rewards","name":"Rewards"}')}`, "/rewards", "Rewards"],
  ["/lp/error?bookmark=/explore", "/explore", ""],
  [
    `/lp/error?bookmark=${encodeURIComponent(`${location.origin}/explore/filtered?q=echo#results`)}`,
    "/explore/filtered?q=echo#results",
    "",
  ],
  [
    `/lp/error?bookmark=${encodeURIComponent(`{"url":"${location.origin}/rewards","name":"Rewards"}`)}`,
    "/rewards",
    "Rewards",
  ],
])("stores the bookmark of %s", async (url, bookmark, name) => {
  await open(url);
  expect(device.bookmark.get()).toEqual({ url: bookmark, name });
});

it.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  `${location.origin}//evil.example`,
  `${location.origin}.evil.example/`,
  `${location.origin}@evil.example/`,
  "javascript:alert(1)",
  "https://",
])("stores no bookmark of another site: %j", async (url) => {
  await open(`/lp/error?bookmark=${encodeURIComponent(url)}`);
  expect(device.bookmark.get()).toBeNull();
});

it("stores the bookmark of a later page", async () => {
  const { router } = await open("/lp/error");
  router.history.push("/sign-in/getting-started?bookmark=%2Fexplore");
  await waitFor(() => expect(device.bookmark.get()).toEqual({ url: "/explore", name: "" }));
});

it("keeps the day that testers choose, until they return to today", async () => {
  const { router, queryClient } = await open("/lp/error?overrideDay=2026-11-25");
  expect(device.mockData.get()).toEqual({ day: "2026-11-25" });
  const asked: (string | null)[] = [];
  server.use(
    http.get("*/api/consumer/user/offers", ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("overrideDay"));
      return HttpResponse.json({ success: true, data: {}, errors: [] });
    }),
  );
  await queryClient.fetchQuery(offersQuery());
  expect(asked).toEqual(["2026-11-25"]);
  router.history.push("/sign-in/getting-started?overrideDay=");
  await waitFor(() => expect(device.mockData.get()).toBeNull());
});
