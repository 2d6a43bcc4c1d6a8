import { HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import type { GetData, GetPath, PostData, PostPath } from "@/api/contract";

/** The mock server. A request without a handler fails the test. */
export const server = setupServer(
  // Suggestions, which many screens show if there are any.
  ...["usual-items", "top-ordered", "upsell-items"].map((path) =>
    http.get(`*/api/consumer/store/${path}`, () =>
      HttpResponse.json({ success: true, data: { items: [] }, errors: [] }),
    ),
  ),
  // The menu of the nearest store, which home shows to new consumers.
  http.get("*/api/consumer/store/menu", () =>
    HttpResponse.json({ success: true, data: { sections: [] }, errors: [] }),
  ),
  // The badge of the inbox.
  http.get("*/api/consumer/inbox/list", () =>
    HttpResponse.json({ success: true, data: { messages: [], total: 0, unseen: 0 }, errors: [] }),
  ),
  // The points that a picked-up order earned.
  http.get("*/api/consumer/user/rewards", () =>
    HttpResponse.json({
      success: true,
      data: { points: { balance: 0, tiers: [], pointsPerUnit: 10 }, entries: [] },
      errors: [],
    }),
  ),
  http.get("*/api/consumer/user/offers", () =>
    HttpResponse.json({
      success: true,
      data: { day: "2026-11-24", isBonusDay: false, offers: [], challenges: [] },
      errors: [],
    }),
  ),
);

/** An error response of the gateway. */
export interface MockError {
  status: number;
  reason?: string;
  errors?: string[];
  message?: string;
  data?: unknown;
}

const address = (path: string) =>
  `*${/^\/(store-)?api\//.test(path) ? path.replace("{id}", ":id") : `/api/consumer${path}`}`;

const errorResponse = ({ status, ...body }: MockError) =>
  HttpResponse.json({ success: false, data: null, errors: [], reason: "", ...body } as JsonBodyType, {
    status,
  });

/** Responds to a GET with this data, typed by the contract, when it is there. Pass it to `server.use`. */
export const mockGet = <P extends GetPath>(path: P, data: GetData<P> | Promise<GetData<P>>) =>
  http.get(address(path), async () =>
    HttpResponse.json({ success: true, data: (await data) as JsonBodyType, errors: [] }),
  );

/** Responds to a POST with the result of `reply`. */
export const mockPost = <P extends PostPath>(
  path: P,
  reply: (body: unknown, request: Request) => PostData<P>,
) =>
  http.post(address(path), async ({ request }) => {
    const text = await request.clone().text();
    const data = reply(text === "" ? undefined : JSON.parse(text), request);
    return HttpResponse.json({ success: true, data: data as JsonBodyType, errors: [] });
  });

export const mockGetError = (path: GetPath, error: MockError) =>
  http.get(address(path), () => errorResponse(error));

export const mockPostError = (path: PostPath, error: MockError) =>
  http.post(address(path), () => errorResponse(error));
