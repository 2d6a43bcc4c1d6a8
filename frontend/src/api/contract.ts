/** Reads the generated contract: which paths there are, what each takes and what its answer's `data` is. */
import type { paths } from "./schema.gen";

type Consumer = "/api/consumer";

/** Specification section 7 names paths relative to the consumer API; `/api/stripe/…` and `/api/build` stand beside it. */
type Short<P extends string> = P extends `${Consumer}${infer Rest}` ? Rest : P;
type Full<P extends string> = P extends `/api/${string}` ? P : `${Consumer}${P}`;

type With<Method extends "get" | "post"> = {
  [P in keyof paths & string]: paths[P] extends { [M in Method]: object } ? Short<P> : never;
}[keyof paths & string];

export type GetPath = With<"get">;
export type PostPath = With<"post">;

type Operation<P extends string, Method extends "get" | "post"> =
  Full<P> extends keyof paths
    ? paths[Full<P>] extends { [M in Method]: infer Found }
      ? Found
      : never
    : never;

type Json<Found> = Found extends { responses: { 200: { content: { "application/json": infer Body } } } }
  ? Body
  : unknown;
type DataOf<Body> = Body extends { data?: infer Data } ? NonNullable<Data> : Body;

export type GetData<P extends GetPath> = DataOf<Json<Operation<P, "get">>>;
export type PostData<P extends PostPath> = DataOf<Json<Operation<P, "post">>>;

type Query<Found> = Found extends { parameters: { query?: infer Q } }
  ? [NonNullable<Q>] extends [never]
    ? Record<string, never>
    : NonNullable<Q>
  : Record<string, never>;
export type GetQuery<P extends GetPath> = Query<Operation<P, "get">>;

type Body<Found> = Found extends { requestBody: { content: { "application/json": infer B } } }
  ? B
  : undefined;
export type PostBody<P extends PostPath> = Body<Operation<P, "post">>;
