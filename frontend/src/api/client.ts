import type { GetData, GetPath, GetQuery, PostBody, PostData, PostPath } from "./contract";
import { ApiError, NetworkError } from "./errors";

/** What a call answered with a 2xx, 401 or 403 (specification section 7); other statuses throw {@link ApiError}. */
export interface Answer<Data> {
  readonly status: number;
  readonly success: boolean;
  readonly errors: readonly string[];
  readonly reason: string;
  readonly message: string;
  /** The body's `data`, or the whole body where it has none. Not trustworthy unless `success`. */
  readonly data: Data;
}

interface CallOptions {
  signal?: AbortSignal | undefined;
}

interface PostOptions extends CallOptions {
  /** Required where money moves and the body has no `idempotencyKey`: sent as the `Idempotency-Key` header. */
  idempotencyKey?: string | undefined;
}

/** How long an answer may take. Placing an order waits for the card network, so this is generous. */
const TIMEOUT_MS = 30_000;

declare global {
  interface WindowEventMap {
    /** A call was refused because an earlier payment came back; the "We have a problem" modal listens. */
    failed_payments: CustomEvent;
  }
}

/** A GET that hands 401 and 403 back as answers. Most screens want {@link read}. */
export function get<P extends GetPath>(
  path: P,
  query: GetQuery<P>,
  options: CallOptions = {},
): Promise<Answer<GetData<P>>> {
  return call("GET", path + search(query), undefined, options);
}

/** A POST that hands 401 and 403 back as answers. For calls that handle their refusals themselves. */
export async function post<P extends PostPath>(
  path: P,
  body: PostBody<P> | FormData,
  options: PostOptions = {},
): Promise<Answer<PostData<P>>> {
  const answer = await call<PostData<P>>("POST", path, body, options);
  if (answer.status === 403 && answer.message === "failed_ach_payments") {
    window.dispatchEvent(new CustomEvent("failed_payments"));
    return { ...answer, success: false, errors: ["You have failed payment"] };
  }
  return answer;
}

/** The data of a GET, for query functions: any refusal throws, so that no screen suspends on nothing. */
export async function read<P extends GetPath>(
  path: P,
  query: GetQuery<P>,
  options: CallOptions = {},
): Promise<GetData<P>> {
  return dataOf(await get(path, query, options));
}

/** The data of a POST, for mutations: any refusal throws. */
export async function write<P extends PostPath>(
  path: P,
  body: PostBody<P> | FormData,
  options: PostOptions = {},
): Promise<PostData<P>> {
  return dataOf(await post(path, body, options));
}

/** The data of an answer that succeeded; throws the refusal otherwise. */
export function dataOf<Data>(answer: Answer<Data>): Data {
  if (answer.success) return answer.data;
  throw new ApiError(answer.status, answer.reason, answer.errors, answer.data);
}

async function call<Data>(
  method: "GET" | "POST",
  path: string,
  body: unknown,
  { signal, idempotencyKey }: PostOptions,
): Promise<Answer<Data>> {
  const headers = new Headers({
    accept: "application/json",
    "x-correlation-id": crypto.randomUUID(),
    traceparent: traceparent(),
  });
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  const multipart = body instanceof FormData;
  if (body !== undefined && !multipart) headers.set("content-type", "application/json");

  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let parsed: unknown;
  try {
    response = await fetch(address(path), {
      method,
      headers,
      credentials: "include",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body: multipart ? body : JSON.stringify(body) }),
    });
    parsed = await bodyOf(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NetworkError(timeout.aborted ? "timeout exceeded" : "network error");
  }
  const answer = answerOf<Data>(response.status, parsed);
  if (response.ok || response.status === 401 || response.status === 403) return answer;
  throw new ApiError(answer.status, answer.reason, answer.errors, answer.data);
}

/** Section 7 names paths relative to the consumer API, but for the few that stand beside it. */
function address(path: string): string {
  return path.startsWith("/api/") ? path : `/api/consumer${path}`;
}

function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The JSON of a response; undefined where there is none, as a proxy in between may answer in HTML. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerOf<Data>(status: number, body: unknown): Answer<Data> {
  const fields: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const ok = status >= 200 && status < 300;
  return {
    status,
    success: ok && fields.success !== false,
    errors: Array.isArray(fields.errors) ? fields.errors.filter((e) => typeof e === "string") : [],
    reason: typeof fields.reason === "string" ? fields.reason : "",
    message: typeof fields.message === "string" ? fields.message : "",
    // The contract's own type: the gateway's tests hold it to what it generates.
    data: ("data" in fields ? fields.data : body) as Data,
  };
}

/** W3C trace context: the trace of a tap starts here and runs through every service it reaches. */
function traceparent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
