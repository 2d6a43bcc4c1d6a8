import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it } from "vitest";
import { echoPark, sunset } from "@/features/stores/testing/stores";
import { resetGeolocation } from "@/features/stores/use-geolocation";
import { device } from "@/state/device";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const juniper = {
  companyId: "juniper",
  name: "Juniper Lane Coffee",
  description: "Neighborhood espresso bars.",
  storeCount: 2,
};
const locations = [
  { city: "Los Angeles", region: "CA", storeCount: 12 },
  { city: "Seattle", region: "WA", storeCount: 1 },
];

beforeEach(() => {
  server.use(
    mockGet("/store/company-info", juniper),
    mockGet("/company/stores", { stores: [sunset, echoPark] }),
    mockGet("/store/locations", { companyId: "juniper", locations }),
  );
});

afterEach(() => {
  resetGeolocation();
  // jsdom has no geolocation. Tests that need it define it.
  Reflect.deleteProperty(navigator, "geolocation");
});

/** Responds with two pages of stores, and returns the queries of the requests. */
function serveTwoPages(): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  const all = Array.from({ length: 21 }, (_, index) => ({
    ...sunset,
    storeId: `store-${index}`,
    name: `Store ${index}`,
  }));
  server.use(
    http.get("*/api/consumer/company/stores", ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      const skip = Number(query.get("skip"));
      const stores = all.slice(skip, skip + Number(query.get("take")));
      return HttpResponse.json({ success: true, data: { stores }, errors: [] });
    }),
  );
  return queries;
}

it("shows the company, its cities, and its stores with state and wait", async () => {
  await renderRoute("/company/juniper");
  expect(await screen.findByRole("heading", { level: 1, name: "Juniper Lane Coffee" })).toBeInTheDocument();
  expect(screen.getByText("Neighborhood espresso bars.")).toBeInTheDocument();
  expect(screen.getByText("2 stores")).toBeInTheDocument();
  const row = await screen.findByRole("link", { name: /Sunset & Maltman.*Open till 8 PM.*9 min/ });
  expect(row).toHaveAttribute("href", "/store/sunset/menu");
  expect(row).not.toHaveTextContent("Juniper Lane Coffee");
  expect(screen.getByRole("link", { name: /Echo Park Lake.*Closed/ })).toBeInTheDocument();
  const cities = await screen.findByRole("region", { name: "Cities" });
  expect(within(cities).getByRole("link", { name: "Los Angeles, CA 12 stores" })).toHaveAttribute(
    "href",
    "/explore/filtered?q=Los+Angeles+CA+Juniper+Lane+Coffee",
  );
});

it("loads the stores near the consumer, and more of them", async () => {
  const queries = serveTwoPages();
  device.locationServices.set("granted");
  const getCurrentPosition: Geolocation["getCurrentPosition"] = (found) =>
    found({ coords: { latitude: 34.0907, longitude: -118.2786 } } as GeolocationPosition);
  Object.defineProperty(navigator, "geolocation", { configurable: true, value: { getCurrentPosition } });
  const { user } = await renderRoute("/company/juniper");
  await screen.findByText("Nearest first");
  await user.click(await screen.findByRole("button", { name: "Show more stores" }));
  expect(await screen.findByText("Store 20")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Show more stores" })).toBeNull();
  expect(Object.fromEntries(queries.at(-1) ?? [])).toEqual({
    companyId: "juniper",
    lat: "34.0907",
    lon: "-118.2786",
    take: "20",
    skip: "20",
  });
});

it("shows an empty state and hides the cities of a company without stores", async () => {
  server.use(
    mockGet("/store/company-info", { ...juniper, storeCount: 0, description: "" }),
    mockGet("/company/stores", { stores: [] }),
    mockGet("/store/locations", { companyId: "juniper", locations: [] }),
  );
  await renderRoute("/company/juniper");
  expect(await screen.findByRole("heading", { name: "No stores yet" })).toBeInTheDocument();
  expect(screen.queryByRole("region", { name: "Cities" })).toBeNull();
});

it("keeps the company and retries when its stores fail to load", async () => {
  server.use(mockGetError("/company/stores", { status: 400, errors: ["We can't load stores right now."] }));
  const { user } = await renderRoute("/company/juniper");
  expect(await screen.findByRole("alert")).toHaveTextContent("We can't load stores right now.");
  expect(screen.getByRole("heading", { level: 1, name: "Juniper Lane Coffee" })).toBeInTheDocument();
  server.use(mockGet("/company/stores", { stores: [sunset] }));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: /Sunset & Maltman/ })).toBeInTheDocument();
});

it("offers to find a store when the company does not exist", async () => {
  const errors = ["We couldn't find that company."];
  server.use(mockGetError("/store/company-info", { status: 404, reason: "COMPANY_UNKNOWN", errors }));
  await renderRoute("/company/nothing");
  expect(
    await screen.findByRole("heading", { level: 1, name: "We couldn't find that company." }),
  ).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Find a store" })).toHaveAttribute("href", "/explore");
});

it("is linked from a search for its name", async () => {
  server.use(
    mockGet("/stores/list", { stores: [sunset] }),
    mockGet("/stores/search", { stores: [sunset, echoPark] }),
  );
  await renderRoute("/explore/filtered?q=juniper%20lan");
  const companies = await screen.findByRole("list", { name: "Companies" });
  expect(within(companies).getAllByRole("link")).toHaveLength(1);
  expect(within(companies).getByRole("link", { name: /Juniper Lane Coffee/ })).toHaveAttribute(
    "href",
    "/company/juniper",
  );
});
