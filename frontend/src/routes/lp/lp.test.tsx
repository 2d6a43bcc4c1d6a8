import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { LandingPage } from "@/features/landing/queries";
import { followShareMetadata } from "@/shell/follow-share-metadata";
import { cartItem } from "@/state/cart";
import { invitationItem } from "@/state/invitation";
import { renderRoute } from "@/testing/render-route";
import { mockGet, mockGetError, server } from "@/testing/server";

const summer: LandingPage = {
  urlSlug: "summer",
  hero: { title: "Cold brew season", subtitle: "Ready when you are", picture: "cup" },
  copy: ["Order ahead.", "Skip the line."],
  callToAction: { label: "Find a store", path: "/explore" },
  promo: { code: "SUMMER3", type: "fixed", value: 300, isAppOnly: false },
};

afterEach(() => invitationItem.clear());

it("shows a page from data, and puts its promo into the cart", async () => {
  server.use(mockGet("/landing-page/", summer), mockGet("/stores/list", { stores: [] }));
  const { user, router } = await renderRoute("/lp/summer");
  expect(await screen.findByRole("heading", { name: "Cold brew season", level: 1 })).toBeTruthy();
  expect(screen.getByText("Skip the line.")).toBeTruthy();
  expect(screen.getByText("$3 off with SUMMER3")).toBeTruthy();
  expect(cartItem.get().promo.code).toBe("");
  await user.click(screen.getByRole("link", { name: "Find a store" }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/explore"));
  expect(cartItem.get().promo.code).toBe("SUMMER3");
});

it("sets the share metadata while it is open", async () => {
  server.use(mockGet("/landing-page/", summer));
  const { router } = await renderRoute("/lp/summer");
  const stop = followShareMetadata(router);
  await screen.findByRole("heading", { name: "Cold brew season" });
  const content = (key: string) =>
    document.head.querySelector<HTMLMetaElement>(`meta[property="${key}"]`)?.content;
  await vi.waitFor(() => expect(document.title).toBe("Cold brew season · Order Ahead"));
  expect([content("og:title"), content("og:description")]).toEqual([
    "Cold brew season · Order Ahead",
    "Ready when you are",
  ]);
  await router.navigate({ to: "/lp/error" });
  await vi.waitFor(() => expect(content("og:title")).toBe("Something went wrong · Order Ahead"));
  stop();
});

it("does not put a promo for the app into the cart of a browser", async () => {
  const promo = { code: "APP15", type: "percent", value: 150_000, isAppOnly: true };
  server.use(mockGet("/landing-page/", { ...summer, promo }), mockGet("/stores/list", { stores: [] }));
  const { user } = await renderRoute("/lp/summer");
  expect(await screen.findByText("15% off with APP15")).toBeTruthy();
  expect(screen.getByText("Works in the app only.")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Find a store" }));
  expect(cartItem.get().promo.code).toBe("");
});

it.each(["https://evil.example", "//evil.example", "/\\evil.example"])(
  "does not lead to %s",
  async (path) => {
    server.use(mockGet("/landing-page/", { ...summer, callToAction: { label: "Go", path } }));
    await renderRoute("/lp/summer");
    expect(await screen.findByRole("link", { name: "Go" })).toHaveAttribute("href", "/");
  },
);

it("shows an unknown picture as the cup, and a page without a promo", async () => {
  const hero = { ...summer.hero, picture: "constructor" };
  server.use(mockGet("/landing-page/", { ...summer, hero, promo: null }));
  const { container } = await renderRoute("/lp/summer");
  await screen.findByRole("heading", { name: "Cold brew season" });
  expect(container.querySelector(".counter-scene svg")).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Promo" })).toBeNull();
});

it("shows the error page for an unknown slug", async () => {
  server.use(mockGetError("/landing-page/", { status: 404, reason: "LANDING_PAGE_UNKNOWN" }));
  const { router } = await renderRoute("/lp/no/such/page");
  expect(await screen.findByRole("heading", { name: "This link doesn't work anymore" })).toBeTruthy();
  expect(router.state.location.pathname).toBe("/lp/error");
});

it("offers to try again if the page cannot be loaded", async () => {
  server.use(mockGetError("/landing-page/", { status: 500 }));
  const { user } = await renderRoute("/lp/summer");
  const again = await screen.findByRole("button", { name: "Try again" });
  server.use(mockGet("/landing-page/", summer));
  await user.click(again);
  expect(await screen.findByRole("heading", { name: "Cold brew season" })).toBeTruthy();
});

it("stores the share code of an invitation for the sign-in", async () => {
  server.use(
    mockGet("/landing-page/inactive-users/", {
      page: { ...summer, promo: null, callToAction: { label: "Sign in", path: "/sign-in/getting-started" } },
      invitation: { shareCode: "MAYA-7", firstName: "Maya", referrerPoints: 100, friendPoints: 50 },
    }),
  );
  const { user, router } = await renderRoute("/lp/inactive-users?shareCode=maya-7");
  expect(await screen.findByText(/Maya invited you.*50 points/)).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Sign in" }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/sign-in/getting-started"));
  expect(invitationItem.get()).toBe("MAYA-7");
});

it("shows the error page for an unknown share code", async () => {
  server.use(mockGetError("/landing-page/inactive-users/", { status: 404, reason: "SHARE_CODE_UNKNOWN" }));
  const { router } = await renderRoute("/lp/inactive-users?shareCode=NOPE");
  await vi.waitFor(() => expect(router.state.location.pathname).toBe("/lp/error"));
});
