import { waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { maya, renderRoute } from "@/testing/render-route";
import { sendAnalytics } from "./analytics";
import { sessionQuery } from "./queries";

it("sends route changes and sessions without search parameters", async () => {
  const sent: unknown[] = [];
  navigator.sendBeacon = vi.fn((_address, body) => {
    sent.push(JSON.parse(String(body)));
    return true;
  });
  const { router, queryClient } = await renderRoute("/lp/error?x=secret");
  await queryClient.ensureQueryData(sessionQuery);
  document.title = "Something went wrong · Order Ahead";
  const stop = sendAnalytics("https://stats.example.org/events", router, queryClient);
  queryClient.setQueryData(sessionQuery.queryKey, maya);
  router.history.push("/explore/location-permissions?x=secret");
  await waitFor(() => expect(sent).toHaveLength(4));
  stop();
  expect(vi.mocked(navigator.sendBeacon).mock.calls[0]?.[0]).toBe("https://stats.example.org/events");
  const error = { pathname: "/lp/error", route: "/lp/error", title: "Something went wrong · Order Ahead" };
  expect(sent).toEqual([
    { event: "route-change", ...error },
    { event: "session", signedIn: false },
    { event: "session", signedIn: true },
    expect.objectContaining({ event: "route-change", pathname: "/explore/location-permissions" }),
  ]);
});
