import { waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { createApp } from "@/router";
import { renderRoute } from "@/testing/render-route";
import { mockGet, server } from "@/testing/server";
import { pages } from "./pages";
import { followShareMetadata } from "./share-metadata";

const content = (key: string) =>
  document.head.querySelector<HTMLMetaElement>(`meta[property="${key}"], meta[name="${key}"]`)?.content;

let stop = () => {};
afterEach(() => stop());

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
