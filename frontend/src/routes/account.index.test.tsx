import { screen } from "@testing-library/react";
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
