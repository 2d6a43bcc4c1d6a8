import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, NetworkError } from "@/api/errors";
import { device } from "@/state/device";
import { keyFor } from "@/state/idempotency";
import { toast } from "@/ui/toast";
import { handleMutationError, handleUnexpectedError } from "./error-handlers";
import { areaOf, isSuppressed } from "./error-reports";
import { modals } from "./modals";

// Its area would still be on its way when the test has ended.
vi.mock("@/ui/toast");

const refused = (status: number) => new ApiError(status, "WHY", ["Sorry"], null);

beforeEach(() => {
  // Without an address for reports, they go there.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

describe("the generic handler", () => {
  it.each([
    [refused(401), "/sign-in/getting-started"],
    [refused(500), "/lp/error"],
    [new Error("broken"), "/lp/error"],
  ])("clears what was under way for %s and goes to %s", (error, to) => {
    keyFor("pm_1", "card", 100);
    device.cart.set((cart) => ({ ...cart, storeId: "sunset" }));
    modals.open("rate", "content");
    const navigate = vi.fn();
    handleUnexpectedError(error, { navigate });
    expect(device.idempotency.get()).toEqual({});
    expect(device.cart.get().storeId).toBe("");
    expect(modals.isOpen()).toBe(false);
    expect(navigate).toHaveBeenCalledExactlyOnceWith({ to });
  });
});

it.each([
  [new NetworkError("network error"), false],
  [refused(409), false],
  [refused(503), false],
  [refused(401), true],
  [refused(500), true],
  [new TypeError("broken"), true],
])("a mutation's %s goes to the generic handler: %s", (error, generic) => {
  const navigate = vi.fn();
  vi.mocked(toast).mockClear();
  handleMutationError(error, { navigate });
  expect(navigate).toHaveBeenCalledTimes(generic ? 1 : 0);
  expect(toast).toHaveBeenCalledTimes(generic ? 0 : 1);
});

it.each([
  ["Request failed with status code 401", true],
  ["Network Error", true],
  ["timeout exceeded", true],
  ["globalThis is not defined", true],
  ["Object Not Found Matching Id:3, MethodName:update", true],
  ["500 INTERNAL", true],
  ["cannot read properties of undefined", false],
])("an error report of %j is suppressed: %s", (message, suppressed) =>
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
])("%s is reported under %s", (pathname, area) => expect(areaOf(pathname)).toBe(area));
