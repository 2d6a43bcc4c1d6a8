import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { icedVanillaLatte } from "@/features/menu/testing/items";
import { sunset, sunsetStatus } from "@/features/stores/testing/stores";
import { createApp } from "@/router";
import { addFundsOptions } from "@/testing/gift-cards";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";
import { followShareMetadata } from "./follow-share-metadata";
import { pages } from "./pages";

const content = (key: string) =>
  document.head.querySelector<HTMLMetaElement>(`meta[property="${key}"], meta[name="${key}"]`)?.content;

let stop = () => {};
afterEach(() => {
  stop();
  document.head.innerHTML = "";
});

it("has an entry for each route without a screen of its own metadata", () => {
  const paths = Object.keys(createApp().router.routesByPath).map((path) => path.replace(/(.)\/$/, "$1"));
  const missing = paths.filter((path) => path !== "/lp/$" && !(path in pages));
  expect(missing).toEqual([]);
});

it("follows the route", async () => {
  server.use(mockGet("/stores/list", { stores: [] }));
  const { router } = await renderRoute("/lp/error");
  stop = followShareMetadata(router);
  expect(content("og:title")).toBe("Something went wrong · Order Ahead");
  expect(document.title).toBe("Something went wrong · Order Ahead");
  await router.navigate({ to: "/explore" });
  await waitFor(() => expect(content("og:title")).toBe("Stores · Order Ahead"));
  expect(content("description")).toBe(pages["/explore"]?.description);
  expect(content("og:description")).toBe(pages["/explore"]?.description);
  expect(content("og:url")).toBe(location.origin + location.pathname);
  expect(content("og:image")).toBe(`${location.origin}/share/store.jpg`);
});

const juniper = {
  companyId: "juniper",
  name: "Juniper Lane Coffee",
  description: "Neighborhood espresso bars.",
  storeCount: 2,
};

function mockStore(): void {
  server.use(
    mockGet("/stores/list", { stores: [] }),
    mockGet("/store/info", sunset),
    mockGet("/store/status", sunsetStatus),
    mockGet("/store/menu/categories", { categories: [] }),
    mockGetError("/store/pickup-options", { status: 404 }),
    mockGet("/item/details", icedVanillaLatte),
    mockGet("/item/sizes", { sizes: icedVanillaLatte.sizes }),
    mockGet("/item/modifications", { modifications: icedVanillaLatte.modifications }),
    mockGet("/store/company-info", juniper),
    mockGet("/company/stores", { stores: [] }),
    mockGet("/store/locations", { companyId: "juniper", locations: [] }),
  );
}

it.each([
  [
    "/store/sunset/menu",
    "Sunset & Maltman · Juniper Lane Coffee",
    `Order ahead at 3500 Sunset Blvd, Los Angeles. ${sunset.hoursToday}`,
    "store",
  ],
  [
    `/store/sunset/item/${icedVanillaLatte.itemId}`,
    `${icedVanillaLatte.name} · Sunset & Maltman`,
    icedVanillaLatte.description,
    "menu",
  ],
  ["/company/juniper", "Juniper Lane Coffee · Order Ahead", juniper.description, "company"],
])("names what %s shows, until the next route", async (path, title, description, image) => {
  mockStore();
  const { router } = await renderRoute(path);
  stop = followShareMetadata(router);
  await waitFor(() => expect(document.title).toBe(title));
  expect(content("og:title")).toBe(title);
  expect(content("og:description")).toBe(description);
  expect(content("og:image")).toBe(`${location.origin}/share/${image}.jpg`);
  await router.navigate({ to: "/explore" });
  await waitFor(() => expect(content("og:title")).toBe("Stores · Order Ahead"));
});

it.each([
  ["/company/juniper/card", "Juniper Lane Coffee card · Order Ahead"],
  ["/company/juniper/buy-card", "Buy a Juniper Lane Coffee card · Order Ahead"],
])("names the company of %s", async (path, title) => {
  server.use(
    mockGet("/store/company-info", juniper),
    mockGet("/user/wallet", { balances: [] }),
    mockGet("/user/wallet/add-funds", addFundsOptions),
    mockGet("/gift-card/deals", { deals: [] }),
    mockGet("/payments/list", { paymentMethods: [] }),
  );
  const { router } = await renderRoute(path, { session: maya });
  stop = followShareMetadata(router);
  await waitFor(() => expect(document.title).toBe(title));
});

it("keeps what the gateway wrote into the page until the name of the store is loaded", async () => {
  const served = "Sunset · Juniper Lane Coffee, served";
  document.head.innerHTML = `<title>${served}</title><meta property="og:url" content="${location.href}"><meta property="og:title" content="${served}">`;
  const info = Promise.withResolvers<typeof sunset>();
  mockStore();
  server.use(mockGet("/store/info", info.promise));
  const { router } = await renderRoute("/store/sunset/menu");
  stop = followShareMetadata(router);
  expect([document.title, content("og:title")]).toEqual([served, served]);
  info.resolve({ ...sunset, name: "Sunset" });
  await screen.findByRole("heading", { level: 1, name: "Sunset" });
  await waitFor(() => expect(content("og:title")).toBe("Sunset · Juniper Lane Coffee"));
});

it("replaces the metadata of a page that was served for another address", async () => {
  document.head.innerHTML =
    '<meta property="og:url" content="/wallet"><meta property="og:title" content="Wallet">';
  const info = Promise.withResolvers<typeof sunset>();
  mockStore();
  server.use(mockGet("/store/info", info.promise));
  const { router } = await renderRoute("/store/sunset/menu");
  stop = followShareMetadata(router);
  expect(content("og:title")).toBe("Menu · Order Ahead");
  info.resolve(sunset);
  await screen.findByRole("heading", { level: 1, name: sunset.name });
});
