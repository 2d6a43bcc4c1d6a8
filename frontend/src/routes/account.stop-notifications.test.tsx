import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type Settings, settingsQuery } from "@/features/account/queries";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";
import { settings } from "@/testing/settings";

const url = "/account/stop-notifications?token=0a1b";

it("turns the channel off without a session", async () => {
  const tokens: (string | null)[] = [];
  server.use(
    mockPost("/user/stop-notifications", (_body, request) => {
      tokens.push(new URL(request.url).searchParams.get("token"));
      return { channel: "sms" };
    }),
  );
  await renderRoute(url);
  expect(await screen.findByRole("heading", { name: "Texts are off" })).toBeTruthy();
  expect(tokens).toEqual(["0a1b"]);
});

it("shows the channel as off in the settings, which were being read before", async () => {
  const reading = Promise.withResolvers<Settings>();
  const withTexts = (sms: boolean) => ({ ...settings, notifications: { ...settings.notifications, sms } });
  server.use(
    mockGet("/user/settings", reading.promise),
    mockPost("/user/stop-notifications", () => ({ channel: "sms" })),
  );
  const { user, router, queryClient } = await renderRoute("/lp/error", { session: maya });
  void queryClient.prefetchQuery(settingsQuery);
  await router.navigate({ to: "/account/stop-notifications", search: { token: "0a1b" } });
  expect(await screen.findByRole("heading", { name: "Texts are off" })).toBeTruthy();
  reading.resolve(withTexts(true));
  await vi.waitFor(() => expect(queryClient.getQueryData(settingsQuery.queryKey)).toBeTruthy());
  server.use(mockGet("/user/settings", withTexts(false)));
  await user.click(screen.getByRole("link", { name: "Open settings" }));
  const texts = await screen.findByRole("switch", { name: "Text messages" });
  await vi.waitFor(() => expect(texts).not.toBeChecked());
});

it("turns the channel off again if the link is opened again", async () => {
  const stop = vi.fn(() => ({ channel: "sms" }));
  server.use(mockPost("/user/stop-notifications", stop));
  const { router } = await renderRoute(url);
  await screen.findByRole("heading", { name: "Texts are off" });
  await router.navigate({ to: "/lp/error" });
  await vi.waitFor(() => expect(screen.queryByRole("heading", { name: "Texts are off" })).toBeNull());
  await router.navigate({ to: "/account/stop-notifications", search: { token: "0a1b" } });
  await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(2));
});

it("offers to try again if the server cannot be reached", async () => {
  server.use(mockPostError("/user/stop-notifications", { status: 500 }));
  const { user } = await renderRoute(url);
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.queryByRole("link", { name: "Open settings" })).toBeNull();
  server.use(mockPost("/user/stop-notifications", () => ({ channel: "email" })));
  await user.click(again);
  expect(await screen.findByRole("heading", { name: "Emails are off" })).toBeTruthy();
});

it("leads to the settings if the link is invalid", async () => {
  const errors = ["This link is invalid or expired."];
  server.use(mockPostError("/user/stop-notifications", { status: 422, errors }));
  await renderRoute(url);
  expect(await screen.findByText("This link is invalid or expired.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open settings" })).toHaveAttribute("href", "/account/settings");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
