import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mockGetError, mockPostError, server } from "@/testing/server";
import { dataOf, get, post, read, write } from "./client";
import { ApiError, NetworkError } from "./errors";

const PROFILE = "*/api/consumer/user/profile";
const name = { firstName: "Maya", lastName: "" };

async function catchFailure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail("should have thrown"),
    (error: unknown) => error,
  );
}

describe("the wrapper", () => {
  it("sends a correlation id, a trace and the cookie with each request", async () => {
    const seen: Request[] = [];
    const fetched = vi.spyOn(globalThis, "fetch");
    server.use(
      http.get(PROFILE, ({ request }) => {
        seen.push(request);
        return HttpResponse.json({ success: true, data: {} });
      }),
    );
    await get("/user/profile", {});
    await get("/user/profile", {});
    const ids = seen.map(({ headers }) => headers.get("x-correlation-id"));
    expect(new Set(ids).size).toBe(2);
    expect(seen[0]?.headers.get("traceparent")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ credentials: "include" });
  });

  it("waits longer for calls that change something than for reads", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    server.use(
      http.get(PROFILE, () => HttpResponse.json({ success: true, data: {} })),
      http.post("*/api/consumer/user/name", () => HttpResponse.json({ success: true, data: {} })),
    );
    await get("/user/profile", {});
    await post("/user/name", name);
    expect(timeout.mock.calls).toEqual([[15_000], [30_000]]);
  });

  it("copies success and errors, and takes data or the whole body", async () => {
    server.use(
      http.get(PROFILE, () => HttpResponse.json({ success: false, errors: ["No"], data: { id: "1" } })),
    );
    expect(await get("/user/profile", {})).toMatchObject({
      success: false,
      errors: ["No"],
      data: { id: "1" },
    });
    server.use(http.get(PROFILE, () => HttpResponse.json({ id: "2" })));
    expect(await get("/user/profile", {})).toMatchObject({ success: true, errors: [], data: { id: "2" } });
  });

  it.each([401, 403])(
    "hands a %i back, and makes an ApiError of it for queries and mutations",
    async (status) => {
      server.use(
        mockGetError("/user/profile", { status, reason: "NO", errors: ["Not yours"] }),
        mockPostError("/user/name", { status, reason: "NO" }),
      );
      expect(await get("/user/profile", {})).toMatchObject({ status, success: false, reason: "NO" });
      expect(await post("/user/name", name)).toMatchObject({ status, success: false, reason: "NO" });
      expect(await catchFailure(read("/user/profile", {}))).toMatchObject({
        name: "ApiError",
        status,
        errors: ["Not yours"],
      });
      expect(await catchFailure(write("/user/name", name))).toMatchObject({ name: "ApiError", status });
    },
  );

  it.each([400, 404, 409, 422, 429, 500, 503])("throws a %i with its reason and data", async (status) => {
    server.use(mockPostError("/user/name", { status, reason: "WHY", errors: ["Sorry"], data: { quote: 1 } }));
    const error = await catchFailure(post("/user/name", name));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, reason: "WHY", errors: ["Sorry"], data: { quote: 1 } });
  });

  it("throws ApiError for an HTML error page of a proxy", async () => {
    server.use(http.get(PROFILE, () => HttpResponse.html("<h1>Bad gateway</h1>", { status: 502 })));
    expect(await catchFailure(get("/user/profile", {}))).toMatchObject({
      name: "ApiError",
      status: 502,
      errors: [],
    });
  });

  it("throws NetworkError without a response", async () => {
    server.use(http.get(PROFILE, () => HttpResponse.error()));
    const error = await catchFailure(get("/user/profile", {}));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ message: "network error" });
  });

  it("rethrows the AbortError of the caller", async () => {
    server.use(http.get(PROFILE, () => HttpResponse.json({})));
    expect(await catchFailure(get("/user/profile", {}, { signal: AbortSignal.abort() }))).toMatchObject({
      name: "AbortError",
    });
  });

  it("sends the idempotency key as a header, JSON with a type, and no body where there is none", async () => {
    const seen: Request[] = [];
    const note = http.post("*", async ({ request }) => {
      seen.push(request.clone());
      return HttpResponse.json({ success: true, data: null });
    });
    server.use(note);
    await post("/user/name", name, { idempotencyKey: "key-1" });
    await post("/authentication/logout", undefined);
    const [withBody, without] = seen;
    expect(withBody?.headers.get("idempotency-key")).toBe("key-1");
    expect(withBody?.headers.get("content-type")).toBe("application/json");
    expect(await withBody?.json()).toEqual(name);
    expect(without?.headers.get("content-type")).toBeNull();
    expect(await without?.text()).toBe("");
  });
});

describe("a 403 for failed payments", () => {
  const opened = vi.fn();
  afterEach(() => window.removeEventListener("failed_payments", opened));

  it("dispatches the window event and returns the specified message", async () => {
    window.addEventListener("failed_payments", opened);
    server.use(
      mockPostError("/user/name", {
        status: 403,
        message: "failed_ach_payments",
        reason: "FAILED_ACH_PAYMENTS",
      }),
    );
    const answer = await post("/user/name", name);
    expect(opened).toHaveBeenCalledOnce();
    expect(answer).toMatchObject({ success: false, errors: ["You have failed payment"] });
    expect(() => dataOf(answer)).toThrow(ApiError);
  });

  it("ignores other 403 responses", async () => {
    window.addEventListener("failed_payments", opened);
    opened.mockClear();
    server.use(mockPostError("/user/name", { status: 403, errors: ["Not yours"] }));
    expect(await post("/user/name", name)).toMatchObject({ errors: ["Not yours"] });
    expect(opened).not.toHaveBeenCalled();
  });
});
