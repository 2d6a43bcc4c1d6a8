import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, mockPost, mockPostError, server } from "@/testing/server";
import { mockAccount, settings } from "@/testing/settings";

beforeEach(() => {
  mockAccount();
  // jsdom implements neither.
  URL.createObjectURL = () => "blob:preview";
  URL.revokeObjectURL = () => undefined;
});

it("redirects to sign-in and returns afterwards", async () => {
  const { router } = await renderRoute("/account");
  expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Faccount");
});

it("stores a copy of the profile on the device", async () => {
  await renderRoute("/account", { session: maya });
  await screen.findByRole("heading", { name: "Maya Okafor" });
  expect(device.user.get()).toMatchObject({ id: maya.id, firstName: "Maya", points: 480 });
});

it("edits name and email in a sheet", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  const sent: unknown[] = [];
  server.use(
    mockPost("/user/name", (body) => {
      sent.push(body);
      return { ...maya, firstName: "May" };
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Edit your profile" }));
  const first = await screen.findByLabelText("First name");
  await user.clear(first);
  await user.type(first, "May");
  const email = screen.getByLabelText("Email (optional)");
  await user.clear(email);
  await user.type(email, "may@");
  await user.click(screen.getByRole("button", { name: "Save profile" }));
  expect(await screen.findByText("Enter a complete email address.")).toBeTruthy();
  await user.type(email, "example.com");
  await user.click(screen.getByRole("button", { name: "Save profile" }));
  expect(await screen.findByText("May Okafor")).toBeTruthy();
  expect(sent).toEqual([{ firstName: "May", lastName: "Okafor", email: "may@example.com" }]);
});

it("shows since when the consumer is a member, and the version", async () => {
  await renderRoute("/account", { session: maya });
  expect(await screen.findByText("Joined October 2026")).toBeTruthy();
  expect(screen.getByText("Version 3.1.3")).toBeTruthy();
});

it("works while details and settings cannot be loaded", async () => {
  server.use(mockGetError("/user/info", { status: 500 }), mockGetError("/user/settings", { status: 500 }));
  await renderRoute("/account", { session: maya });
  expect(await screen.findByRole("heading", { name: "Maya Okafor" })).toBeTruthy();
  expect(screen.queryByText(/^Joined/)).toBeNull();
});

it.each([
  ["Rewards 480 points", "/rewards"],
  ["Invite a friend Your code: MAYA-7", "/account/share"],
  ["Payment methods", "/wallet"],
  ["Auto-reload", "/wallet/auto-reload"],
  ["Gift cards", "/gift-cards"],
  ["PIN for the counter", "/account/pin"],
  ["Location Off", "/explore/location-permissions"],
  ["Settings Notifications, appearance", "/account/settings"],
  ["Devices", "/account/devices"],
])("links to %s", async (name, href) => {
  await renderRoute("/account", { session: maya });
  expect(await screen.findByRole("link", { name })).toHaveAttribute("href", href);
});

it("stores the car on the device and with the account", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  const sent: unknown[] = [];
  server.use(
    mockPost("/user/save-settings", (body) => {
      sent.push(body);
      return { ...settings, vehicle: "Blue Honda, 8ABC123" };
    }),
  );
  await user.click(await screen.findByRole("button", { name: /^Your car/ }));
  await user.type(await screen.findByLabelText("Color"), "Blue");
  await user.type(screen.getByLabelText("Make"), "Honda");
  await user.type(screen.getByLabelText("License plate (optional)"), "8ABC123");
  await user.click(screen.getByRole("button", { name: "Save car" }));
  expect(await screen.findByText("Blue Honda, 8ABC123")).toBeTruthy();
  expect(sent).toEqual([{ vehicle: "Blue Honda, 8ABC123" }]);
  expect(device.vehicle.get()).toEqual({ color: "Blue", make: "Honda", plate: "8ABC123" });
});

it("shows the car of the account on a device without one", async () => {
  server.use(mockGet("/user/settings", { ...settings, vehicle: "Red Mini" }));
  await renderRoute("/account", { session: maya });
  expect(await screen.findByText("Red Mini")).toBeTruthy();
});

it.each([
  ["help", "Questions and answers"],
  ["feedback", "Send feedback"],
  ["car", "Your car"],
  ["profile", "Your profile"],
  ["photo", "Your photo"],
])("opens the sheet %s once if the address names it", async (sheet, name) => {
  const { router, user } = await renderRoute(`/account?sheet=${sheet}`, { session: maya });
  expect(await screen.findByRole("dialog", { name })).toBeTruthy();
  expect(router.state.location.href).toBe("/account");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("ignores an unknown sheet in the address", async () => {
  await renderRoute("/account?sheet=x", { session: maya });
  expect(await screen.findByRole("heading", { name: "Maya Okafor" })).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("answers questions", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Questions and answers" }));
  await user.click(await screen.findByText("How do I earn points?"));
  expect(screen.getByText(/You earn points when you pick up an order/).closest("details")).toHaveAttribute(
    "open",
  );
});

it("previews a photo and uploads it", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  server.use(
    http.post("*/api/consumer/user/photo", () =>
      HttpResponse.json({ success: true, data: { ...maya, photo: "/photo?photoId=1" }, errors: [] }),
    ),
  );
  const fetched = vi.spyOn(globalThis, "fetch");
  await user.click(await screen.findByRole("button", { name: "Add a photo" }));
  const input = await screen.findByLabelText("Choose a photo");
  await user.click(screen.getByRole("button", { name: "Save photo" }));
  expect(await screen.findByText("Choose a photo first.")).toBeTruthy();
  await user.upload(input, new File(["pixels"], "me.png", { type: "image/png" }));
  const dialog = screen.getByRole("dialog", { name: "Your photo" });
  await vi.waitFor(() => expect(dialog.querySelector("img")).toHaveAttribute("src", "blob:preview"));
  await user.click(screen.getByRole("button", { name: "Save photo" }));
  expect(await screen.findByRole("button", { name: "Change your photo" })).toBeTruthy();
  const [, upload] = fetched.mock.calls.find(([url]) => url === "/api/consumer/user/photo") ?? [];
  const photo = upload?.body instanceof FormData && upload.body.get("photo");
  expect(photo).toMatchObject({ name: "me.png", type: "image/png", size: 6 });
});

it("removes the photo", async () => {
  const { user } = await renderRoute("/account", { session: { ...maya, photo: "/photo?photoId=1" } });
  await user.click(await screen.findByRole("button", { name: "Change your photo" }));
  server.use(mockPostError("/user/remove-photo", { status: 503 }));
  await user.click(await screen.findByRole("button", { name: "Remove photo" }));
  const dialog = screen.getByRole("dialog", { name: "Your photo" });
  await vi.waitFor(() => expect(within(dialog).getByRole("alert")).not.toBeEmptyDOMElement());
  server.use(mockPost("/user/remove-photo", () => ({ ...maya, photo: null })));
  await user.click(screen.getByRole("button", { name: "Remove photo" }));
  const add = await screen.findByRole("button", { name: "Add a photo" });
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(add);
  expect(await screen.findByLabelText("Choose a photo")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Remove photo" })).toBeNull();
});

it("keeps the photo sheet open if the upload fails", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  const errors = ["We couldn't read that photo. Please choose another one."];
  server.use(mockPostError("/user/photo", { status: 422, reason: "PHOTO_INVALID", errors }));
  await user.click(await screen.findByRole("button", { name: "Add a photo" }));
  const file = new File(["not a picture"], "me.png", { type: "image/png" });
  await user.upload(await screen.findByLabelText("Choose a photo"), file);
  await user.click(screen.getByRole("button", { name: "Save photo" }));
  expect(await screen.findByText(errors[0] ?? "")).toBeTruthy();
});

it("sends feedback and thanks the consumer", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  let release = () => {};
  const sent: unknown[] = [];
  server.use(
    http.post("*/api/consumer/analytics/user-feedback", async ({ request }) => {
      sent.push(await request.json());
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return HttpResponse.json({ success: true, data: {}, errors: [] });
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Send feedback" }));
  await user.type(await screen.findByLabelText("Your message"), " I like it. ");
  const send = screen.getByRole("button", { name: "Send" });
  await user.click(send);
  await vi.waitFor(() => expect(sent).toEqual([{ message: "I like it." }]));
  expect(send.getAttribute("aria-busy")).toBe("true");
  release();
  expect(await screen.findByText("Thanks for your feedback.")).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByLabelText("Your message")).toBeNull());
});

it("keeps the feedback if it is empty or cannot be sent", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  const limited = "You've sent a lot of feedback today. Please try again tomorrow.";
  server.use(
    mockPostError("/analytics/user-feedback", {
      status: 429,
      reason: "TOO_MANY_FEEDBACK",
      errors: [limited],
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Send feedback" }));
  const message = await screen.findByLabelText<HTMLInputElement>("Your message");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("Enter a message.")).toBeTruthy();
  await user.type(message, "More oat milk");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText(limited)).toBeTruthy();
  expect(message.value).toBe("More oat milk");
});

it("clears personal data on sign-out even if the server fails", async () => {
  const { user, router } = await renderRoute("/account", { session: maya });
  server.use(mockPostError("/authentication/logout", { status: 503 }));
  await user.click(await screen.findByRole("button", { name: "Sign out" }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
  expect(device.user.get()).toBeNull();
  expect(device.signOutPending.get()).toBe(true);
  expect(await screen.findByText(/^Signed out on this device/)).toBeTruthy();
});

it("deletes the cached calls with personal data on sign-out, also favorites among the stores", async () => {
  const deleted: string[] = [];
  vi.stubGlobal("caches", { delete: async (name: string) => deleted.push(name) });
  const { user } = await renderRoute("/account", { session: maya });
  server.use(mockPost("/authentication/logout", () => ({})));
  await user.click(await screen.findByRole("button", { name: "Sign out" }));
  await vi.waitFor(() => expect(deleted.sort()).toEqual(["menu", "personal"]));
  vi.unstubAllGlobals();
});

it("signs out if the session has ended elsewhere", async () => {
  const { user, router } = await renderRoute("/account", { session: maya });
  server.use(mockPostError("/authentication/logout", { status: 401, reason: "UNAUTHENTICATED" }));
  await user.click(await screen.findByRole("button", { name: "Sign out" }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
  await vi.waitFor(() => expect(device.signOutPending.get()).toBe(false));
  expect(screen.queryByText(/^Signed out on this device/)).toBeNull();
});
