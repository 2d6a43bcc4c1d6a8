import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockPost, mockPostError, server } from "@/testing/server";

it("redirects to sign-in and returns afterwards", async () => {
  const { router } = await renderRoute("/account");
  expect(router.state.location.href).toBe("/sign-in/getting-started?next=%2Faccount");
});

it("stores a copy of the profile on the device", async () => {
  await renderRoute("/account", { session: maya });
  await screen.findByRole("heading", { name: "Maya Okafor" });
  expect(device.user.get()).toMatchObject({ id: maya.id, firstName: "Maya", points: 480 });
});

it("edits the name in a sheet", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  server.use(mockPost("/user/name", () => ({ ...maya, firstName: "May" })));
  await user.click(await screen.findByRole("button", { name: "Edit your name" }));
  const first = await screen.findByLabelText("First name");
  await user.clear(first);
  await user.type(first, "May");
  await user.click(screen.getByRole("button", { name: "Save name" }));
  expect(await screen.findByText("May Okafor")).toBeTruthy();
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
});

it("switches the theme", async () => {
  const { user } = await renderRoute("/account", { session: maya });
  await user.click(await screen.findByRole("radio", { name: "Dark" }));
  expect(device.theme.get()).toBe("dark");
});
