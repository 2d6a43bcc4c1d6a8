import { QueryClient } from "@tanstack/react-query";
import type { ParsedLocation } from "@tanstack/react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, NetworkError } from "@/api/errors";
import { device } from "@/state/device";
import { getIdempotencyKey } from "@/state/idempotency";
import { maya } from "@/testing/render-route";
import { toast } from "@/ui/toast";
import { handleEndedSession, handleMutationError, handleUnexpectedError } from "./error-handlers";
import { modals } from "./modals";
import { sessionQuery } from "./queries";
import { getArea, isSuppressed, sendErrorReport } from "./send-error-report";

// The toast area would still load after the test has ended.
vi.mock("@/ui/toast");

const queryClient = new QueryClient();
const createRouter = (pathname = "/orders") => ({
  navigate: vi.fn(),
  latestLocation: { pathname, href: `${pathname}?filter=all`, search: {} } as ParsedLocation,
});

const apiError = (status: number) => new ApiError(status, "WHY", ["Sorry"], null);

beforeEach(() => {
  // Reports are logged to the console if no address is configured.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("the generic handler", () => {
  it.each([
    [apiError(401), { to: "/sign-in/getting-started", search: { next: "/orders?filter=all" } }],
    [apiError(500), { to: "/lp/error" }],
    [new Error("broken"), { to: "/lp/error" }],
  ])("clears client state for %s and navigates to %s", (error, target) => {
    getIdempotencyKey("pm_1", "card", 100);
    device.cart.set((cart) => ({ ...cart, storeId: "sunset" }));
    modals.open("rate", "content");
    const router = createRouter();
    handleUnexpectedError(error, router, queryClient);
    expect(device.idempotency.get()).toEqual({});
    expect(device.cart.get().storeId).toBe("");
    expect(modals.isOpen()).toBe(false);
    expect(router.navigate).toHaveBeenCalledOnce();
    expect(router.navigate.mock.calls[0]?.[0]).toEqual(target);
  });
});

describe("the end of the session", () => {
  beforeEach(() => modals.closeAll());

  it.each(["/sign-in/getting-started", "/sign-in/verify", "/store-console", "/store-console/order-xray"])(
    "is handled already, or does not concern the screen, at %s",
    (pathname) => {
      queryClient.setQueryData(sessionQuery.queryKey, null);
      modals.open("rate", "content");
      const router = createRouter(pathname);
      handleEndedSession(router, queryClient);
      expect(router.navigate).not.toHaveBeenCalled();
      expect(modals.isOpen()).toBe(true);
    },
  );

  it.each([
    ["/orders", "/orders?filter=all"],
    ["/sign-in/verify", undefined],
  ])("opens sign-in at %s while the device has a session", (pathname, next) => {
    queryClient.setQueryData(sessionQuery.queryKey, maya);
    const router = createRouter(pathname);
    handleEndedSession(router, queryClient);
    const search = { next, reason: "session-ended" };
    expect(router.navigate.mock.calls).toEqual([[{ to: "/sign-in/getting-started", search }]]);
    expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull();
  });
});

it.each([
  [new NetworkError("network error"), false],
  [apiError(409), false],
  [apiError(503), false],
  [apiError(401), true],
  [apiError(500), true],
  [new TypeError("broken"), true],
])("passes the mutation error %s to the generic handler: %s", (error, generic) => {
  const router = createRouter();
  vi.mocked(toast).mockClear();
  handleMutationError(error, router, queryClient);
  expect(router.navigate).toHaveBeenCalledTimes(generic ? 1 : 0);
  expect(toast).toHaveBeenCalledTimes(generic ? 0 : 1);
});

it.each([
  ["Request failed with status code 401", true],
  ["Network Error", true],
  ["timeout exceeded", true],
  ["globalThis is not defined", true],
  ["Uncaught ReferenceError: globalThis is not defined", true],
  ["Can't find variable: _AutofillCallbackHandler", true],
  ["Object Not Found Matching Id:3, MethodName:update", true],
  ["Object Not Found Matching Id:3", true],
  ["500 INTERNAL", true],
  ["Request failed with status code 500", true],
  ["Object Not Found Matching Id:30, MethodName:update", false],
  ["Object Not Found Matching Id:31", false],
  ["the autofill of the address failed", false],
  ["5001 is not a valid amount", false],
  ["503 UNAVAILABLE", false],
  ["cannot read properties of undefined", false],
])("suppresses reports of %j: %s", (message, suppressed) =>
  expect(isSuppressed(new Error(message))).toBe(suppressed),
);

it.each([
  ["/explore", "explore"],
  ["/explore/map", "map"],
  ["/explore/filtered", "filtered"],
  ["/account/add-credit-card", "add-credit-card"],
  ["/account/settings", "account"],
  ["/store/1/menu", "menu"],
  ["/company/1", "company"],
  ["/inbox", "other"],
])("tags reports of %s with %s", (pathname, area) => expect(getArea(pathname)).toBe(area));

it("reports no skipped transition between screens", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  log.mockClear();
  sendErrorReport(new DOMException("Transition was skipped", "AbortError"));
  sendErrorReport(
    new DOMException(
      "Transition was aborted because of invalid state. Viewport size changed",
      "InvalidStateError",
    ),
  );
  expect(log).not.toHaveBeenCalled();
  sendErrorReport(new DOMException("The request was aborted", "AbortError"));
  expect(log).toHaveBeenCalledOnce();
});
