import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sunset } from "@/features/stores/testing/stores";
import type { Position } from "@/lib/geo";
import { device } from "@/state/device";
import { renderRoute } from "@/testing/render-route";
import { server } from "@/testing/server";

vi.mock("@/features/stores/map/StoreMap", () => ({
  default: ({ goTo }: { goTo: Position | null }) => (
    <output aria-label="Moved to">{goTo ? `${goTo.lat} ${goTo.lon}` : ""}</output>
  ),
}));

const getCurrentPosition = vi.fn<Geolocation["getCurrentPosition"]>();
const found = (latitude: number) => (success: PositionCallback) =>
  success({ coords: { latitude, longitude: -118.28 } } as GeolocationPosition);
const latitudes: (string | null)[] = [];

/** The wait of the store depends on the location, so that an update of it changes the result. */
function respond({ request }: { request: Request }) {
  const latitude = new URL(request.url).searchParams.get("lat");
  latitudes.push(latitude);
  const stores = [{ ...sunset, waitMinutes: latitude === "34.05" ? 5 : 10 }];
  return HttpResponse.json({ success: true, data: { stores, clusters: [] }, errors: [] });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  device.locationServices.set("granted");
  getCurrentPosition.mockImplementation(found(34.09));
  Object.defineProperty(navigator, "geolocation", { configurable: true, value: { getCurrentPosition } });
  latitudes.length = 0;
  server.use(
    http.get("*/api/consumer/stores/list", respond),
    http.get("*/api/consumer/stores/search", respond),
  );
});

afterEach(() => vi.useRealTimers());

/** Returns to the app at another place. */
async function updateLocation() {
  getCurrentPosition.mockImplementation(found(34.05));
  await act(async () => {
    vi.setSystemTime(Date.now() + 6 * 60_000);
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await waitFor(() => expect(latitudes).toContain("34.05"));
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
}

it("shows the consumer once, not again after an update of the location", async () => {
  await renderRoute("/explore/map");
  const map = await screen.findByRole("status", { name: "Moved to" });
  await waitFor(() => expect(map).toHaveTextContent("34.09 -118.28"));
  await updateLocation();
  expect(map).toHaveTextContent("34.09 -118.28");
});

it("moves to the best match once for each search, not again after an update of the location", async () => {
  const { user } = await renderRoute("/explore/map?q=sunset");
  const map = await screen.findByRole("status", { name: "Moved to" });
  const match = `${sunset.latitude} ${sunset.longitude}`;
  await waitFor(() => expect(map).toHaveTextContent(match));
  await user.click(screen.getByRole("button", { name: "Show my location" }));
  await waitFor(() => expect(map).toHaveTextContent("34.09 -118.28"));
  await updateLocation();
  expect(map).toHaveTextContent("34.09 -118.28");
});
