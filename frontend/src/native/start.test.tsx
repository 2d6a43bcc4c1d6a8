import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { requestPosition, resetGeolocation } from "@/features/stores/use-geolocation";
import { type Profile, sessionQuery } from "@/shell/queries";
import { share } from "@/shell/share";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { receiveNavigate, receiveSession } from "./navigation";
import { startBridge } from "./start";

vi.mock("@/shell/error-reports", () => ({ report: vi.fn() }));

let stop = () => {};

afterEach(() => {
  stop();
  stop = () => {};
  delete window.ReactNativeWebView;
  resetGeolocation();
});

/** Installs a React Native shell. Returns the messages of the app. */
function playShell() {
  const messages: { eventName: string; detail: unknown }[] = [];
  window.ReactNativeWebView = { postMessage: (text) => messages.push(JSON.parse(text)) };
  const named = (name: string) =>
    messages.filter(({ eventName }) => eventName === name).map(({ detail }) => detail);
  return { messages, named };
}

const receive = (eventName: string, detail: unknown) =>
  act(async () => {
    window.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ eventName, detail }) }));
  });

async function start(url: string, options: Parameters<typeof renderRoute>[1] = {}) {
  const shell = playShell();
  const app = await renderRoute(url, options);
  stop = startBridge(app.router, app.queryClient);
  return { ...app, ...shell };
}

it("sends ping first, and stores the device and version of the reply", async () => {
  const { messages } = await start("/lp/error");
  expect(messages[0]).toEqual({ eventName: "ping", detail: { protocolVersion: 1 } });
  await receive("ping", { device: "android", version: "4.2.0" });
  expect(device.sourceDevice.get()).toBe("android");
  expect(device.deviceVersion.get()).toBe("4.2.0");
});

it("sends the current route, and each later one without its search parameters", async () => {
  const { named, router } = await start("/lp/error");
  await act(() => router.navigate({ to: "/sign-in/getting-started", search: { next: "/wallet" } }));
  await waitFor(() =>
    expect(named("route-change")).toEqual([
      expect.objectContaining({ pathname: "/lp/error" }),
      expect.objectContaining({ pathname: "/sign-in/getting-started", route: "/sign-in/getting-started" }),
    ]),
  );
});

const { id, email, firstName, lastName, phone, shareCode, points } = maya;
const user = { id, email, firstName, lastName, phone, shareCode, points };

it("sends session and user when they change, and logout when the session ends", async () => {
  const { messages, queryClient } = await start("/lp/error");
  const sent = () => messages.filter(({ eventName }) => ["session", "user", "logout"].includes(eventName));
  await queryClient.fetchQuery(sessionQuery);
  expect(sent()).toEqual([{ eventName: "session", detail: { signedIn: false } }]);

  queryClient.setQueryData(sessionQuery.queryKey, maya);
  expect(sent().slice(1)).toEqual([
    { eventName: "session", detail: { signedIn: true } },
    { eventName: "user", detail: user },
  ]);
  const renamed: Profile = { ...maya, firstName: "May" };
  queryClient.setQueryData(sessionQuery.queryKey, renamed);
  expect(sent().slice(3)).toEqual([{ eventName: "user", detail: { ...user, firstName: "May" } }]);

  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  expect(sent().slice(4)).toEqual([
    { eventName: "logout", detail: {} },
    { eventName: "session", detail: { signedIn: false } },
  ]);
});

it("opens the page that the shell requests", async () => {
  const { router } = await start("/lp/error");
  await receive("navigate", { url: `${location.origin}/sign-in/getting-started?next=%2Fcart` });
  await waitFor(() => expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Fcart"));
  const { length } = router.history;
  await receive("navigate", { pathname: "/lp/error", replace: true });
  await waitFor(() => expect(router.state.location.pathname).toBe("/lp/error"));
  expect(router.history.length).toBe(length);
});

it.each(["https://evil.example/cart", "//evil.example/cart", "javascript:alert(1)", ""])(
  "does not navigate to %j",
  async (address) => {
    const push = vi.fn();
    const router = { history: { push, replace: push } } as never;
    const load = vi.fn();
    stop = receiveNavigate(router, load);
    await receive("navigate", { url: address });
    await receive("navigate", { pathname: address });
    expect(push).not.toHaveBeenCalled();
    expect(load).not.toHaveBeenCalled();
  },
);

it("loads pages with a hand-over code from the server", async () => {
  const load = vi.fn();
  const push = vi.fn();
  const stops = [receiveSession(load), receiveNavigate({ history: { push } } as never, load)];
  stop = () => {
    for (const end of stops) end();
  };
  await receive("session", { code: "one time" });
  expect(load).toHaveBeenLastCalledWith("/?session=one+time", true);
  await receive("navigate", { pathname: "/inbox?session=abc" });
  expect(load).toHaveBeenLastCalledWith("/inbox?session=abc", false);
  expect(push).not.toHaveBeenCalled();
});

it("opens links to other sites, phone numbers and maps through the shell", async () => {
  const { named, user } = await start("/lp/error");
  const links = document.createElement("div");
  links.innerHTML = `
    <a href="https://news.example/a">News</a>
    <a href="tel:+12135550100"><b>Call</b></a>
    <a href="https://maps.example/dir" data-map-destination="Sunset, 1 Main St">Directions</a>`;
  document.body.append(links);
  await user.click(screen.getByText("News"));
  await user.click(screen.getByText("Call"));
  await user.click(screen.getByText("Directions"));
  links.remove();
  expect(named("external-link")).toEqual([{ url: "https://news.example/a" }, { url: "tel:+12135550100" }]);
  expect(named("external-map-link")).toEqual([
    { url: "https://maps.example/dir", destination: "Sunset, 1 Main St" },
  ]);
});

it.each([
  [
    { latitude: 34.1, longitude: -118.3 },
    { state: "found", position: { lat: 34.1, lon: -118.3 } },
    "granted",
  ],
  [{ error: "denied" }, { state: "denied", position: null }, "denied"],
  [{ latitude: 134.1, longitude: -118.3 }, { state: "unavailable", position: null }, null],
  [{}, { state: "unavailable", position: null }, null],
])("asks the shell for the location: %j", async (reply, state, stored) => {
  const { named } = playShell();
  const position = requestPosition();
  await waitFor(() => expect(named("geo-request")).toEqual([{}]));
  await receive("geo-request", reply);
  await expect(position).resolves.toEqual(state);
  expect(device.locationServices.get()).toBe(stored);
});

it("shares through the shell", async () => {
  const { named } = playShell();
  const content = { title: "Receipt", url: "https://order.example.com/order/complete" };
  const shared = share(content, { success: "Copied", failure: "Not copied" });
  await waitFor(() => expect(named("share")).toEqual([content]));
  await receive("share", { shared: true });
  await expect(shared).resolves.toBeUndefined();
});
