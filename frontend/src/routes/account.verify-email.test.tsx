import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockPost, mockPostError, server } from "@/testing/server";
import { settings } from "@/testing/settings";

const url = "/account/verify-email?token=0a1b";
const unverified = { ...maya, emailVerified: false };

it("verifies the address once the consumer confirms", async () => {
  const { user } = await renderRoute(url, { session: unverified });
  const sent: unknown[] = [];
  server.use(
    mockPost("/user/verify-email", (body) => {
      sent.push(body);
      return { ...maya, points: null };
    }),
  );
  expect(await screen.findByText("Get your order updates at maya@example.com.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Verify" }));
  expect(await screen.findByRole("heading", { name: "Your email is verified" })).toBeTruthy();
  expect(sent).toEqual([{ token: "0a1b" }]);
});

it("explains that a link is invalid, and leads to the settings", async () => {
  const { user } = await renderRoute(url, { session: unverified });
  const errors = ["This link is invalid or expired."];
  server.use(mockPostError("/user/verify-email", { status: 422, reason: "EMAIL_TOKEN_INVALID", errors }));
  await user.click(await screen.findByRole("button", { name: "Verify" }));
  expect(await screen.findByText("This link is invalid or expired.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open settings" })).toHaveAttribute("href", "/account/settings");
});

it("keeps the button if the server cannot be reached", async () => {
  const { user } = await renderRoute(url, { session: unverified });
  server.use(mockPostError("/user/verify-email", { status: 503 }));
  await user.click(await screen.findByRole("button", { name: "Verify" }));
  expect(await screen.findByText("This isn't available right now. Please try again shortly.")).toBeTruthy();
  server.use(mockPost("/user/verify-email", () => ({ ...maya, points: null })));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Your email is verified" })).toBeTruthy();
});

it("names no address if the profile has none, and has a way back to the settings", async () => {
  const { user, router } = await renderRoute(url, { session: { ...unverified, email: "" } });
  expect(await screen.findByText("Get your order updates at your email address.")).toBeTruthy();
  server.use(mockGet("/user/settings", settings));
  await user.click(screen.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/account/settings"));
});

it("requires the sign-in first and returns", async () => {
  const { router } = await renderRoute(url);
  expect(router.state.location.href).toBe(`/sign-in/getting-started?next=${encodeURIComponent(url)}`);
});
