import { act, screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it } from "vitest";
import { announcement, formatCountdown, secondsUntil } from "@/features/counter-pin/countdown";
import { echoPark, sunset } from "@/features/stores/testing/stores";
import { resetGeolocation } from "@/features/stores/use-geolocation";
import { cents } from "@/lib/money";
import { device } from "@/state/device";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

afterEach(resetGeolocation);

/** Responds with a new PIN to each request: 1001, 1002 …. The clock of the device is ahead of the server's by `clockLead` milliseconds. */
function servePins(validSeconds = 120, available = 1220, clockLead = 0) {
  const stores: (string | null)[] = [];
  server.use(
    http.get("*/api/consumer/user/pin", ({ request }) => {
      stores.push(new URL(request.url).searchParams.get("storeId"));
      const now = Date.now() - clockLead;
      const data = {
        pin: String(1000 + stores.length),
        expiresAt: new Date(now + validSeconds * 1_000).toISOString(),
        storeName: "Sunset & Maltman",
        available: cents(available),
      };
      const headers = { date: new Date(now).toUTCString() };
      return HttpResponse.json({ success: true, data, errors: [] }, { headers });
    }),
  );
  return stores;
}

it("shows the guide once, before the PIN is created", async () => {
  const stores = servePins();
  const { user, unmount } = await renderRoute("/account/pin?storeId=sunset", { session: maya });
  const show = await screen.findByRole("button", { name: "Show my PIN" });
  expect(stores).toEqual([]);
  await user.click(show);
  expect(await screen.findByText("1001")).toBeInTheDocument();
  expect(device.showedPinGuide.get()).toBe(true);
  unmount();
  await renderRoute("/account/pin?storeId=sunset", { session: maya });
  expect(await screen.findByText("1002")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Show my PIN" })).toBeNull();
});

it("shows store, time left and balance, and announces the digits one by one", async () => {
  device.showedPinGuide.set(true);
  servePins();
  await renderRoute("/account/pin?storeId=sunset", { session: maya });
  const card = await screen.findByRole("region", { name: "PIN" });
  expect(card).toHaveTextContent("For Sunset & Maltman only");
  expect(card).toHaveTextContent(/(2:00|1:5\d) left/);
  expect(card).toHaveTextContent("$12.20 on your JoePass");
  expect(screen.getByText("Your PIN is 1 0 0 1. It's valid for 2 minutes.")).toBeInTheDocument();
});

it.each([10, -10])("counts the time left if the clock of the device is %i minutes fast", async (minutes) => {
  device.showedPinGuide.set(true);
  servePins(120, 1220, minutes * 60_000);
  await renderRoute("/account/pin?storeId=sunset", { session: maya });
  expect(await screen.findByText("1001")).toBeInTheDocument();
  expect(screen.getByText(/^(2:00|1:5\d) left$/)).toBeInTheDocument();
});

it("offers to add funds to an empty JoePass", async () => {
  device.showedPinGuide.set(true);
  servePins(120, 0);
  const { unmount } = await renderRoute("/account/pin?storeId=sunset", { session: maya });
  const card = await screen.findByRole("region", { name: "PIN" });
  expect(card).toHaveTextContent("$0.00 on your JoePass");
  expect(within(card).getByRole("link", { name: "Add funds" })).toHaveAttribute("href", "/wallet/add-funds");
  unmount();
  servePins();
  await renderRoute("/account/pin?storeId=sunset", { session: maya });
  await screen.findByText("1001");
  expect(screen.queryByRole("link", { name: "Add funds" })).toBeNull();
});

it("creates a new PIN on request only", async () => {
  device.showedPinGuide.set(true);
  const stores = servePins();
  const { user } = await renderRoute("/account/pin?storeId=sunset", { session: maya });
  await screen.findByText("1001");
  act(() => void window.dispatchEvent(new Event("focus")));
  expect(stores).toEqual(["sunset"]);
  await user.click(screen.getByRole("button", { name: "Get a new PIN" }));
  expect(await screen.findByText("1002")).toBeInTheDocument();
  expect(screen.queryByText("1001")).toBeNull();
});

it("hides an expired PIN", async () => {
  device.showedPinGuide.set(true);
  servePins(0);
  await renderRoute("/account/pin?storeId=sunset", { session: maya });
  expect(await screen.findByText("Expired")).toBeInTheDocument();
  expect(screen.getByText("This PIN has expired.")).toBeInTheDocument();
  expect(screen.queryByText("1001")).toBeNull();
});

it("requires a store first", async () => {
  device.showedPinGuide.set(true);
  const stores = servePins();
  server.use(mockGet("/stores/list", { stores: [sunset, echoPark] }));
  const { user } = await renderRoute("/account/pin", { session: maya });
  await user.click(await screen.findByRole("link", { name: /Echo Park Lake/ }));
  await screen.findByText("1001");
  expect(stores).toEqual([echoPark.storeId]);
  await user.click(screen.getByRole("link", { name: "I'm at another store" }));
  expect(await screen.findByRole("heading", { name: "Which store are you at?" })).toBeInTheDocument();
});

it("offers to try again when stores or the PIN fail to load", async () => {
  device.showedPinGuide.set(true);
  server.use(mockGetError("/stores/list", { status: 400 }));
  const { user, unmount } = await renderRoute("/account/pin", { session: maya });
  const retryStores = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/stores/list", { stores: [] }));
  await user.click(retryStores);
  expect(await screen.findByText("No stores near you.")).toBeInTheDocument();
  unmount();
  const errors = ["That store doesn't take PINs right now."];
  server.use(mockGetError("/user/pin", { status: 422, errors }));
  await renderRoute("/account/pin?storeId=sunset", { session: maya });
  expect(await screen.findByRole("alert")).toHaveTextContent("That store doesn't take PINs right now.");
  servePins();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("1001")).toBeInTheDocument();
});

it("counts down to the end and announces few moments", () => {
  const end = Date.parse("2026-11-22T10:02:00Z");
  expect(secondsUntil(end, new Date("2026-11-22T10:00:00.500Z"))).toBe(120);
  expect(secondsUntil(end, new Date("2026-11-22T10:03:00Z"))).toBe(0);
  expect([formatCountdown(120), formatCountdown(61), formatCountdown(9)]).toEqual(["2:00", "1:01", "0:09"]);
  const texts = Array.from({ length: 121 }, (_, second) => announcement("4702", 120 - second));
  expect([...new Set(texts)]).toEqual([
    "Your PIN is 4 7 0 2. It's valid for 2 minutes.",
    "1 minute left.",
    "10 seconds left.",
    "This PIN has expired.",
  ]);
});
