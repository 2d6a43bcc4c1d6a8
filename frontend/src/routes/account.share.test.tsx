import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const link = "http://localhost:3000/lp/inactive-users?shareCode=MAYA-7";

beforeEach(() =>
  server.use(
    mockGet("/share-code", { shareCode: "MAYA-7", firstName: "Maya", referrerPoints: 100, friendPoints: 50 }),
  ),
);

afterEach(() => Reflect.deleteProperty(navigator, "share"));

it("shows the code and what both sides get", async () => {
  await renderRoute("/account/share", { session: maya });
  expect(await screen.findByText("MAYA-7")).toBeTruthy();
  expect(await screen.findByText(/You get 100 points and your friend gets 50/)).toBeTruthy();
});

it("copies the code", async () => {
  const { user } = await renderRoute("/account/share", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Copy your code" }));
  expect(await screen.findByText("Code copied")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("MAYA-7");
});

it("opens the share sheet of the device", async () => {
  const share = vi.fn(() => Promise.resolve());
  Object.defineProperty(navigator, "share", { value: share, configurable: true });
  const { user } = await renderRoute("/account/share", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Share your link" }));
  expect(share).toHaveBeenCalledWith(expect.objectContaining({ title: "Order Ahead", url: link }));
});

it("copies the link without a share sheet", async () => {
  const { user } = await renderRoute("/account/share", { session: maya });
  await user.click(await screen.findByRole("button", { name: "Share your link" }));
  expect(await screen.findByText("Link copied")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toContain(link);
});

it("works without the reward", async () => {
  server.use(mockGetError("/share-code", { status: 500 }));
  await renderRoute("/account/share", { session: maya });
  expect(await screen.findByRole("button", { name: "Copy your code" })).toBeTruthy();
  expect(screen.queryByText(/your friend gets/)).toBeNull();
});
