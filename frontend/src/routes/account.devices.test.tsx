import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { GetData } from "@/api/contract";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount } from "@/testing/settings";

const at = "2026-11-20T16:00:00Z";
const phone = {
  sessionId: "s1",
  deviceName: "Safari on iPhone",
  signedInAt: at,
  lastSeenAt: at,
  isCurrent: true,
};
const laptop = { ...phone, sessionId: "s2", deviceName: "Firefox on Mac", isCurrent: false };
const tablet = { deviceId: "0a", name: "", lastSignedInAt: at };

async function openDevices(list: GetData<"/user/sessions">) {
  server.use(mockGet("/user/sessions", list));
  return renderRoute("/account/devices", { session: maya });
}

it("opens from the account screen", async () => {
  mockAccount();
  server.use(mockGet("/user/sessions", { sessions: [phone], knownDevices: [] }));
  const { user } = await renderRoute("/account", { session: maya });
  await user.click(await screen.findByRole("link", { name: "Devices" }));
  expect(await screen.findByRole("heading", { name: "Devices" })).toBeTruthy();
  expect(await screen.findByText("Safari on iPhone")).toBeTruthy();
});

it("marks this device, which cannot be signed out here", async () => {
  await openDevices({ sessions: [phone, laptop], knownDevices: [] });
  const rows = within(await screen.findByRole("list", { name: "Signed in" })).getAllByRole("listitem");
  expect(rows.map((row) => within(row).queryByText("This device") !== null)).toEqual([true, false]);
  expect(screen.getAllByRole("button", { name: /^Sign out/ })).toHaveLength(1);
  expect(screen.queryByRole("list", { name: "Signed out" })).toBeNull();
});

it("signs another device out", async () => {
  const { user } = await openDevices({ sessions: [phone, laptop], knownDevices: [] });
  const sent: unknown[] = [];
  const button = await screen.findByRole("button", { name: "Sign out Firefox on Mac" });
  server.use(
    mockPost("/user/end-session", (body) => {
      sent.push(body);
      return {};
    }),
    mockGet("/user/sessions", { sessions: [phone], knownDevices: [] }),
  );
  await user.click(button);
  await waitFor(() => expect(screen.queryByText("Firefox on Mac")).toBeNull());
  expect(sent).toEqual([{ sessionId: "s2" }]);
});

it("removes a device without a session", async () => {
  const { user } = await openDevices({ sessions: [phone], knownDevices: [tablet] });
  const sent: unknown[] = [];
  const button = await screen.findByRole("button", { name: "Forget Unknown device" });
  server.use(
    mockPost("/user/forget-device", (body) => {
      sent.push(body);
      return {};
    }),
    mockGet("/user/sessions", { sessions: [phone], knownDevices: [] }),
  );
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("list", { name: "Signed out" })).toBeNull());
  expect(sent).toEqual([{ deviceId: "0a" }]);
});

it("updates the list if the session has ended already", async () => {
  const { user } = await openDevices({ sessions: [phone, laptop], knownDevices: [] });
  const button = await screen.findByRole("button", { name: "Sign out Firefox on Mac" });
  const errors = ["That device isn't signed in anymore."];
  server.use(
    mockPostError("/user/end-session", { status: 404, reason: "SESSION_UNKNOWN", errors }),
    mockGet("/user/sessions", { sessions: [phone], knownDevices: [] }),
  );
  await user.click(button);
  expect(await screen.findByText("That device isn't signed in anymore.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("Firefox on Mac")).toBeNull());
});
