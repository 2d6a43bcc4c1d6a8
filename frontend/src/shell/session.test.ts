import { afterEach, expect, it } from "vitest";
import { device } from "@/state/device";
import { maya } from "@/testing/render-route";
import { sessionQuery } from "./queries";
import { createQueryClient } from "./query-client";
import { startSignedOut } from "./session";

afterEach(() => {
  document.head.innerHTML = "";
});

function start(page: string) {
  document.head.innerHTML = page;
  const queryClient = createQueryClient({
    onMutationError: () => undefined,
    onEndedSession: () => undefined,
    onUnauthorizedQuery: () => undefined,
  });
  startSignedOut(queryClient);
  return queryClient.getQueryData(sessionQuery.queryKey);
}

const SIGNED_OUT = '<meta name="session" content="none">';

it("starts signed out, without a call, if the page was requested without a session", () => {
  expect(start(SIGNED_OUT)).toBeNull();
});

it("requests the profile if the page has no mark of a missing session", () => {
  expect(start("")).toBeUndefined();
});

it("requests the profile if the page is older than the profile on the device", () => {
  device.user.set({ ...maya, points: 1 });
  expect(start(SIGNED_OUT)).toBeUndefined();
});
