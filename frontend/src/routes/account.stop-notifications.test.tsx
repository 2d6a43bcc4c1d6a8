import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";

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
