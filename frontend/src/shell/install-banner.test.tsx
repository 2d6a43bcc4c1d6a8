import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { device } from "@/state/device";
import { onTestEnd } from "@/testing/cleanups";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { offerInstallBanner } from "./install-banner";
import { recordSourceDevice } from "./source-device";

const OFFER = "Enjoy $3 off when you order through the app.";
const POINTS = "Earn 2x the points on every purchase when you order on the app.";
const STORE_LINK = "https://get.example.com/app";

let stop = () => {};

beforeEach(() => {
  document.head.innerHTML = `<meta name="app-config" content='{"appStoreUrl":"${STORE_LINK}"}'>`;
  server.use(mockGet("/stores/list", { stores: [] }));
});
afterEach(() => {
  stop();
  document.head.innerHTML = "";
});

async function open(path: string, { width = 390, session = null as typeof maya | null } = {}) {
  vi.stubGlobal("innerWidth", width);
  recordSourceDevice();
  const app = await renderRoute(path, { session });
  stop = offerInstallBanner(app.router, app.queryClient);
  return app;
}

it("shows the offer and a link to the app store on mobile web, once", async () => {
  const { user, router } = await open("/sign-in/getting-started");
  expect(await screen.findByText(OFFER)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Install" })).toHaveAttribute("href", STORE_LINK);
  expect(device.lastSmartBanner.get()).toMatch(/^\d{4}-\d\d-\d\d$/);
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText(OFFER)).toBeNull();
  await router.navigate({ to: "/explore" });
  await screen.findByRole("heading", { name: "Explore" });
  expect(screen.queryByText(OFFER)).toBeNull();
});

it("marks the page, and whether a bottom bar is below the banner, until it is dismissed", async () => {
  document.body.id = "root";
  onTestEnd(() => document.body.removeAttribute("id"));
  const { user, router } = await open("/explore");
  expect(await screen.findByText(OFFER)).toBeTruthy();
  const { dataset } = document.documentElement;
  expect(dataset.installBanner).toBe("");
  await router.navigate({ to: "/sign-in/getting-started" });
  await waitFor(() => expect(dataset.installBanner).toBe("low"));
  await router.navigate({ to: "/explore" });
  await waitFor(() => expect(dataset.installBanner).toBe(""));
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(dataset.installBanner).toBeUndefined();
});

it.each(["/", "/explore/location-permissions", "/lp/error"])("hides while the route is %s", async (path) => {
  const { router, user } = await open("/explore");
  expect(await screen.findByText(OFFER)).toBeTruthy();
  await router.navigate({ to: path });
  await waitFor(() => expect(screen.queryByText(OFFER)).toBeNull());
  expect(document.documentElement.dataset.installBanner).toBeUndefined();
  await router.navigate({ to: "/explore" });
  expect(await screen.findByText(OFFER)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  await router.navigate({ to: path });
  await router.navigate({ to: "/explore" });
  await screen.findByRole("heading", { name: "Explore" });
  expect(screen.queryByText(OFFER)).toBeNull();
});

it("closes when the app ends", async () => {
  await open("/explore");
  expect(await screen.findByText(OFFER)).toBeTruthy();
  stop();
  await waitFor(() => expect(screen.queryByText(OFFER)).toBeNull());
});

it("does not show on mobile web without an address of the app store, and shows once there is one", async () => {
  document.head.innerHTML = "<meta name='app-config' content='{}'>";
  const { router } = await open("/explore");
  await screen.findByRole("heading", { name: "Explore" });
  await waitFor(() => expect(router.state.status).toBe("idle"));
  expect(device.lastSmartBanner.get()).toBeNull();
  document.head.innerHTML = `<meta name="app-config" content='{"appStoreUrl":"${STORE_LINK}"}'>`;
  await router.navigate({ to: "/sign-in/getting-started" });
  expect(await screen.findByRole("link", { name: "Install" })).toHaveAttribute("href", STORE_LINK);
});

it("has no install button on desktop", async () => {
  await open("/sign-in/getting-started", { width: 768 });
  expect(device.sourceDevice.get()).toBe("desktop");
  expect(await screen.findByText(OFFER)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Install" })).toBeNull();
});

it.each([
  ["app", POINTS],
  ["web", OFFER],
] as const)("depends on the journey step %s of the session", async (journeyStep, text) => {
  server.use(mockGet("/user/journey-step", { journeyStep }));
  await open("/explore", { session: maya });
  expect(await screen.findByText(text)).toBeTruthy();
});

it.each(["/", "/explore/location-permissions", "/lp/error", "/store-console"])(
  "waits on %s for the first other route",
  async (path) => {
    server.use(mockGetError("/store-api/staff/session", { status: 401, reason: "UNAUTHENTICATED" }));
    const { router } = await open(path);
    await waitFor(() => expect(router.state.status).toBe("idle"));
    expect(device.lastSmartBanner.get()).toBeNull();
    await router.navigate({ to: "/explore" });
    expect(await screen.findByText(OFFER)).toBeTruthy();
  },
);

it("does not show in a native shell", async () => {
  device.sourceDevice.set("ios");
  window.ReactNativeWebView = { postMessage: () => undefined };
  await open("/explore");
  await screen.findByRole("heading", { name: "Explore" });
  delete window.ReactNativeWebView;
  expect(device.sourceDevice.get()).toBe("ios");
  expect(device.lastSmartBanner.get()).toBeNull();
});
