import { HttpResponse, http, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import type { GetData, GetPath, PostData, PostPath } from "@/api/contract";

/** The server of a test: it knows only what the test tells it. */
export const server = setupServer();

/** Refusals as the gateway writes them. */
export interface Refusal {
  status: number;
  reason?: string;
  errors?: string[];
  message?: string;
  data?: unknown;
}

const address = (path: string) => `*${path.startsWith("/api/") ? path : `/api/consumer${path}`}`;

const refuse = ({ status, ...body }: Refusal) =>
  HttpResponse.json({ success: false, data: null, errors: [], reason: "", ...body } as JsonBodyType, {
    status,
  });

/** Answers a GET with this data in the envelope, typed by the contract. Give it to `server.use`. */
export const mockGet = <P extends GetPath>(path: P, data: GetData<P>) =>
  http.get(address(path), () => HttpResponse.json({ success: true, data: data as JsonBodyType, errors: [] }));

/** Answers a POST with what `reply` makes of its body. */
export const mockPost = <P extends PostPath>(
  path: P,
  reply: (body: unknown, request: Request) => PostData<P>,
) =>
  http.post(address(path), async ({ request }) => {
    const text = await request.clone().text();
    const data = reply(text === "" ? undefined : JSON.parse(text), request);
    return HttpResponse.json({ success: true, data: data as JsonBodyType, errors: [] });
  });

/** Refuses a GET. */
export const mockGetError = (path: GetPath, refusal: Refusal) =>
  http.get(address(path), () => refuse(refusal));

/** Refuses a POST. */
export const mockPostError = (path: PostPath, refusal: Refusal) =>
  http.post(address(path), () => refuse(refusal));
