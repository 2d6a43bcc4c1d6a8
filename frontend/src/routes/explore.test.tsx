import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { echoPark, sunset } from "@/features/stores/testing/stores";
import { resetGeolocation } from "@/features/stores/use-geolocation";
import { device } from "@/state/device";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

afterEach(() => {
  resetGeolocation();
  delete window.ReactNativeWebView;
  // jsdom has no geolocation. Tests that need it define it.
  Reflect.deleteProperty(navigator, "geolocation");
});

it("lists stores without a location and offers to use it", async () => {
  server.use(mockGet("/stores/list", { stores: [sunset, echoPark] }));
  await renderRoute("/explore");
  expect(
    await screen.findByRole("link", { name: /Sunset & Maltman.*Open till 8 PM.*9 min/ }),
  ).toBeInTheDocument();
  expect(screen.getByRole("link", { name: /Echo Park Lake.*Closed/ })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Use my location" })).toBeInTheDocument();
});

it("searches while typing and keeps the term in the URL", async () => {
  const terms: string[] = [];
  server.use(
    mockGet("/stores/list", { stores: [sunset, echoPark] }),
    http.get("*/api/consumer/stores/search", ({ request }) => {
      terms.push(new URL(request.url).searchParams.get("term") ?? "");
      return HttpResponse.json({ success: true, data: { stores: [echoPark] }, errors: [] });
    }),
  );
  const { user, router } = await renderRoute("/explore");
  await user.type(await screen.findByLabelText("Search stores"), "echo");
  await waitFor(() => expect(screen.queryByText("Sunset & Maltman")).not.toBeInTheDocument());
  expect(router.state.location.search).toEqual({ q: "echo" });
  expect(terms).toEqual(["echo"]);
});

it("opens the results of a search with Enter and repeats a term without matches", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset, echoPark] }),
    mockGet("/stores/search", { stores: [echoPark] }),
  );
  const { user, router } = await renderRoute("/explore");
  await user.type(await screen.findByLabelText("Search stores"), "90026{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/explore/filtered"));
  expect(router.state.location.search).toEqual({ q: "90026" });
  // The list before shows the store as well, until this screen replaces it.
  await screen.findByRole("heading", { level: 1, name: "Search stores" });
  expect(await screen.findByText("Echo Park Lake")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Open now" }));
  expect(await screen.findByText(/No store for “90026” matches your filters/)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Open now" }));
  server.use(mockGet("/stores/search", { stores: [] }));
  const input = screen.getByLabelText("Search stores");
  await user.clear(input);
  await user.type(input, "99999");
  expect(await screen.findByText(/No store matches “99999”/)).toBeInTheDocument();
});

it("filters open stores and shows an empty state", async () => {
  server.use(mockGet("/stores/list", { stores: [echoPark] }));
  const { user } = await renderRoute("/explore");
  await user.click(await screen.findByRole("button", { name: "Open now" }));
  expect(await screen.findByRole("heading", { name: "No stores found" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Show all stores" }));
  expect(await screen.findByText("Echo Park Lake")).toBeInTheDocument();
});

it("does not call a store without opening hours closed", async () => {
  const unknown = { ...echoPark, hoursToday: "No opening hours listed", nextChangeAt: null };
  server.use(mockGet("/stores/list", { stores: [unknown] }));
  await renderRoute("/explore");
  const row = await screen.findByRole("link", { name: /Echo Park Lake.*No opening hours listed/ });
  expect(row).toHaveTextContent("Not taking orders right now");
  expect(row).not.toHaveTextContent("Closed");
});

/** Responds with so many stores: closed ones first, then open ones. Returns the number of stores of each request. */
function serveStores(closed: number, open: number): number[] {
  const requested: number[] = [];
  const stores = Array.from({ length: closed + open }, (_, index) => ({
    ...(index < closed ? echoPark : sunset),
    storeId: `store-${index}`,
    name: `Store ${index}`,
  }));
  server.use(
    http.get("*/api/consumer/stores/list", ({ request }) => {
      const take = Number(new URL(request.url).searchParams.get("take"));
      requested.push(take);
      return HttpResponse.json({ success: true, data: { stores: stores.slice(0, take) }, errors: [] });
    }),
  );
  return requested;
}

it("searches for open stores farther away if those nearby are closed", async () => {
  const requested = serveStores(60, 5);
  const { user } = await renderRoute("/explore");
  await user.click(await screen.findByRole("button", { name: "Open now" }));
  expect(await screen.findByText("Store 60")).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "5 stores" })).toBeInTheDocument();
  expect(requested).toEqual([40, 100]);
});

it("states how many stores are closed if others were not loaded", async () => {
  serveStores(150, 5);
  const { user } = await renderRoute("/explore");
  await user.click(await screen.findByRole("button", { name: "Open now" }));
  expect(await screen.findByText(/None of the nearest 100 stores is open right now/)).toBeInTheDocument();
  expect(screen.queryByText("No stores found")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Curbside" }));
  expect(await screen.findByText(/None of these 100 stores matches your filters/)).toBeInTheDocument();
});

it("uses the location once it is allowed, and explains what to do when it is blocked", async () => {
  const getCurrentPosition = vi.fn<Geolocation["getCurrentPosition"]>((_onFound, onError) =>
    onError?.({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError),
  );
  Object.defineProperty(navigator, "geolocation", { configurable: true, value: { getCurrentPosition } });
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { user, router } = await renderRoute("/explore/location-permissions");
  await user.click(await screen.findByRole("button", { name: "Use my location" }));
  expect(await screen.findByText(/blocking your location/)).toBeInTheDocument();
  expect(device.locationServices.get()).toBe("denied");
  getCurrentPosition.mockImplementation((found) =>
    found({ coords: { latitude: 34.09, longitude: -118.28 } } as GeolocationPosition),
  );
  await user.click(screen.getByRole("button", { name: "Use my location" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/explore"));
  expect(await screen.findByText("1 store near you")).toBeInTheDocument();
});

describe("a known location", () => {
  const found = (latitude: number) => (success: PositionCallback) =>
    success({ coords: { latitude, longitude: -118.28 } } as GeolocationPosition);
  const denied: Geolocation["getCurrentPosition"] = (_success, onError) =>
    onError?.({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError);
  const notFound: Geolocation["getCurrentPosition"] = (_success, onError) =>
    onError?.({ code: 2, PERMISSION_DENIED: 1 } as GeolocationPositionError);

  async function openWithLocation(path: string) {
    device.locationServices.set("granted");
    const getCurrentPosition = vi.fn<Geolocation["getCurrentPosition"]>(found(34.09));
    Object.defineProperty(navigator, "geolocation", { configurable: true, value: { getCurrentPosition } });
    const latitudes: (string | null)[] = [];
    server.use(
      http.get("*/api/consumer/stores/list", ({ request }) => {
        latitudes.push(new URL(request.url).searchParams.get("lat"));
        return HttpResponse.json({ success: true, data: { stores: [sunset] }, errors: [] });
      }),
    );
    vi.useFakeTimers({ toFake: ["Date"] });
    return { ...(await renderRoute(path)), getCurrentPosition, latitudes };
  }

  /** The consumer returns to the app after some time. */
  const returnAfter = (minutes: number) =>
    act(async () => {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      document.dispatchEvent(new Event("visibilitychange"));
    });

  afterEach(() => vi.useRealTimers());

  it("is requested again when the consumer returns to the app, and stays if it is not found", async () => {
    const { getCurrentPosition, latitudes } = await openWithLocation("/explore");
    expect(await screen.findByText("1 store near you")).toBeInTheDocument();
    await returnAfter(4);
    expect(getCurrentPosition).toHaveBeenCalledOnce();
    getCurrentPosition.mockImplementation(notFound);
    await returnAfter(60);
    expect(getCurrentPosition).toHaveBeenCalledTimes(2);
    expect(screen.getByText("1 store near you")).toBeInTheDocument();
    getCurrentPosition.mockImplementation(found(34.05));
    await returnAfter(6);
    await waitFor(() => expect(latitudes).toContain("34.05"));
    expect(latitudes).toContain("34.09");
  });

  it("is removed if the permission was withdrawn", async () => {
    const { getCurrentPosition } = await openWithLocation("/explore");
    expect(await screen.findByText("1 store near you")).toBeInTheDocument();
    getCurrentPosition.mockImplementation(denied);
    await returnAfter(6);
    await waitFor(() => expect(screen.queryByText("1 store near you")).toBeNull());
    await returnAfter(6);
    expect(getCurrentPosition).toHaveBeenCalledTimes(2);
  });

  it("is not requested for a hidden page", async () => {
    const { getCurrentPosition } = await openWithLocation("/explore");
    expect(await screen.findByText("1 store near you")).toBeInTheDocument();
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    await returnAfter(60);
    expect(getCurrentPosition).toHaveBeenCalledOnce();
  });

  it("stays if an update fails, which the screen says", async () => {
    const { user, getCurrentPosition, router } = await openWithLocation("/explore/location-permissions");
    const update = await screen.findByRole("button", { name: "Update my location" });
    getCurrentPosition.mockImplementation(notFound);
    await user.click(update);
    expect(await screen.findByText(/^We couldn't find your location/)).toBeInTheDocument();
    await act(() => router.navigate({ to: "/explore" }));
    expect(await screen.findByText("1 store near you")).toBeInTheDocument();
  });
});

it("names who blocks the location on the map of a native shell", async () => {
  window.ReactNativeWebView = {
    postMessage: (text) => {
      const { eventName } = JSON.parse(text) as { eventName: string };
      if (eventName !== "geo-request") return;
      const reply = JSON.stringify({ eventName, detail: { error: "denied" } });
      queueMicrotask(() => window.dispatchEvent(new MessageEvent("message", { data: reply })));
    },
  };
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { user } = await renderRoute("/explore/map");
  await user.click(await screen.findByRole("button", { name: "Show my location" }));
  expect(await screen.findByText("Location is off for this app")).toBeInTheDocument();
});

it("does not leave another screen when the location is found later", async () => {
  let find: PositionCallback = () => {};
  const getCurrentPosition: Geolocation["getCurrentPosition"] = (found) => {
    find = found;
  };
  Object.defineProperty(navigator, "geolocation", { configurable: true, value: { getCurrentPosition } });
  server.use(mockGet("/stores/list", { stores: [sunset] }));
  const { user, router } = await renderRoute("/explore/location-permissions");
  await user.click(await screen.findByRole("button", { name: "Use my location" }));
  await act(() => router.navigate({ to: "/lp/error" }));
  act(() => find({ coords: { latitude: 34.09, longitude: -118.28 } } as GeolocationPosition));
  await waitFor(() => expect(device.locationServices.get()).toBe("granted"));
  // Going back would change the location in the next tasks.
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(router.history.location.pathname).toBe("/lp/error");
});

it("offers to retry when stores fail to load", async () => {
  server.use(mockGetError("/stores/list", { status: 400, errors: ["We can't load stores right now."] }));
  await renderRoute("/explore");
  expect(await screen.findByRole("alert")).toHaveTextContent("We can't load stores right now.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
});

it("shows an error on the map and retries", async () => {
  server.use(mockGetError("/stores/list", { status: 503 }));
  const { user } = await renderRoute("/explore/map");
  expect(await screen.findByRole("alert")).toHaveTextContent("This isn't available right now.");
  // An empty map would push the button below the navigation.
  expect(document.querySelector(".map-screen-map")).toBeNull();
  let retried = false;
  server.use(
    http.get("*/api/consumer/stores/list", () => {
      retried = true;
      return HttpResponse.json({ success: true, data: { stores: [sunset] }, errors: [] });
    }),
  );
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(retried).toBe(true));
});
