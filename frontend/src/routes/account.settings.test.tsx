import { act, screen, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";
import { settings } from "@/testing/settings";

async function openSettings(stored = settings) {
  server.use(mockGet("/user/settings", stored));
  return renderRoute("/account/settings", { session: maya });
}

it("requires sign-in", async () => {
  const { router } = await renderRoute("/account/settings");
  expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Faccount%2Fsettings");
});

it("switches a channel at once, and stores only that change", async () => {
  const { user } = await openSettings();
  const sent: unknown[] = [];
  server.use(
    mockPost("/user/save-settings", (body) => {
      sent.push(body);
      return { ...settings, notifications: { push: true, sms: true, email: false } };
    }),
  );
  const sms = await screen.findByRole("switch", { name: "Text messages" });
  expect(sms).not.toBeChecked();
  await user.click(sms);
  expect(sms).toBeChecked();
  await vi.waitFor(() => expect(sent).toEqual([{ notifications: { sms: true } }]));
  expect(screen.getByRole("switch", { name: "Push" })).toBeChecked();
});

it("switches back if the change cannot be stored", async () => {
  const { user } = await openSettings();
  const errors = ["This isn't available right now."];
  server.use(mockPostError("/user/save-settings", { status: 503, errors }));
  const push = await screen.findByRole("switch", { name: "Push" });
  await user.click(push);
  expect(await screen.findByText("This isn't available right now.")).toBeTruthy();
  await vi.waitFor(() => expect(push).toBeChecked());
});

it("explains that the inbox stays if all channels are off", async () => {
  await openSettings({ ...settings, notifications: { push: false, sms: false, email: false } });
  expect(await screen.findByText(/All notifications are off/)).toBeTruthy();
});

it("offers to send a link to an address that is not verified", async () => {
  server.use(mockGet("/user/settings", settings));
  const { user } = await renderRoute("/account/settings", { session: { ...maya, emailVerified: false } });
  expect(await screen.findByText("Verify your email to get messages there.")).toHaveRole("status");
  const errors = ["We just sent you an email."];
  server.use(mockPostError("/user/request-email-verification", { status: 429, errors }));
  const again = screen.getByRole("button", { name: "Send me a link" });
  await user.click(again);
  expect(await screen.findByText("We just sent you an email.")).toBeTruthy();
  server.use(mockPost("/user/request-email-verification", () => ({})));
  await user.click(again);
  expect(await screen.findByText(/^Sent\. Open the link/)).toBeTruthy();
  expect(again).not.toBeInTheDocument();
});

it("has no hint for a verified address", async () => {
  await openSettings();
  expect(await screen.findByText(`To ${maya.email}`)).toBeTruthy();
  expect(screen.queryByText(/Verify your email/)).toBeNull();
});

it("leads to the profile to add an email address, and is off until there is one", async () => {
  server.use(mockGet("/user/settings", settings));
  const { user } = await renderRoute("/account/settings", { session: { ...maya, email: "" } });
  server.use(
    mockPost("/user/save-settings", () => ({
      ...settings,
      notifications: { ...settings.notifications, email: true },
    })),
  );
  const email = await screen.findByRole("switch", { name: "Email" });
  await user.click(email);
  expect(email).not.toBeChecked();
  const sheet = within(await screen.findByRole("dialog", { name: "Your profile" }));
  await user.type(sheet.getByLabelText("Email (optional)"), "maya@example.com");
  const added = { ...maya, email: "maya@example.com", emailVerified: false };
  server.use(
    mockPost("/user/name", () => added),
    mockGet("/user/profile", added),
    mockGet("/user/info", {
      id: maya.id,
      firstName: "Maya",
      needsName: false,
      memberSince: "2026-10-15T12:00:00Z",
    }),
  );
  await user.click(sheet.getByRole("button", { name: "Save profile" }));
  await vi.waitFor(() => expect(email).toBeChecked());
  expect(screen.getByText("To maya@example.com")).toBeInTheDocument();
});

it("works with the keyboard", async () => {
  const { user } = await openSettings();
  const notifications = { ...settings.notifications, push: false };
  server.use(mockPost("/user/save-settings", () => ({ ...settings, notifications })));
  const push = await screen.findByRole("switch", { name: "Push" });
  push.focus();
  await user.keyboard(" ");
  expect(push).not.toBeChecked();
  await user.tab();
  expect(screen.getByRole("switch", { name: "Text messages" })).toHaveFocus();
});

it("requests permission from the native app when push is switched on, and shows whether the phone blocks it", async () => {
  const postMessage = vi.fn();
  window.ReactNativeWebView = { postMessage };
  onTestFinished(() => void delete window.ReactNativeWebView);
  const off = { ...settings, notifications: { ...settings.notifications, push: false } };
  const { user } = await openSettings(off);
  server.use(mockPost("/user/save-settings", () => settings));
  await user.click(await screen.findByRole("switch", { name: "Push" }));
  await vi.waitFor(() => expect(postMessage).toHaveBeenCalledOnce());
  expect(JSON.parse(postMessage.mock.lastCall?.[0])).toEqual({
    eventName: "push-notification-request",
    detail: {},
  });
  expect(device.pushRequestAccepted.get()).toBe(true);
  const reply = new CustomEvent("push-notification-request", { detail: { token: null } });
  act(() => void window.dispatchEvent(reply));
  expect(await screen.findByText(/^Your phone blocks notifications/)).toBeInTheDocument();
});

/** Stubs the permission of the browser and its push service, which needs the network. */
function stubPush(permission: NotificationPermission, subscribe: () => Promise<never>) {
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission, requestPermission: async () => permission });
  const ready = Promise.resolve({
    pushManager: { subscribe, getSubscription: async () => null },
  });
  Object.defineProperty(navigator, "serviceWorker", { value: { ready }, configurable: true });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, "serviceWorker");
  });
}

it.each([
  ["denied", "Your browser blocks notifications. Allow them in its settings."],
  ["granted", "We couldn't turn on notifications on this device. Please try again."],
] as const)("explains why push cannot be switched on with permission %s", async (permission, text) => {
  stubPush(permission, () => Promise.reject(new Error("push service error")));
  const notifications = { ...settings.notifications, push: false };
  const { user } = await openSettings({ ...settings, notifications, pushKey: "key" });
  server.use(mockPost("/user/save-settings", () => ({ ...settings, pushKey: "key" })));
  const push = await screen.findByRole("switch", { name: "Push" });
  expect(push).toHaveAccessibleDescription("On your phone's lock screen");
  await user.click(push);
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it.each([
  ["mobile-web", "Add this app to your home screen to get notifications on this phone"],
  ["desktop", "This browser can't show notifications"],
] as const)("explains on %s that a browser cannot get push notifications", async (source, text) => {
  device.sourceDevice.set(source);
  await openSettings({ ...settings, pushKey: "key" });
  expect(await screen.findByRole("switch", { name: "Push" })).toHaveAccessibleDescription(text);
});

it("switches the theme", async () => {
  const { user } = await openSettings();
  await user.click(await screen.findByRole("radio", { name: "Dark" }));
  expect(device.theme.get()).toBe("dark");
});

it("leads to auto-reload, devices and the deletion of the account", async () => {
  await openSettings();
  expect(await screen.findByRole("link", { name: /^Auto-reload/ })).toHaveTextContent("can't load this");
  expect(screen.getByRole("link", { name: /^Devices/ })).toHaveAttribute("href", "/account/devices");
  expect(screen.getByRole("link", { name: "Delete account" })).toHaveAttribute("href", "/account/delete");
});

it("offers to try again if the settings cannot be loaded", async () => {
  server.use(mockGetError("/user/settings", { status: 500 }));
  const { user } = await renderRoute("/account/settings", { session: maya });
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/user/settings", settings));
  await user.click(again);
  expect(await screen.findByRole("switch", { name: "Push" })).toBeTruthy();
});
