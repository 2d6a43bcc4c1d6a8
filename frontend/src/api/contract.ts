/** Types of the generated contract: the paths, and the parameters, body and data of each. */
import type {
  OperationRequestBodyContent,
  PathsWithMethod,
  SuccessResponseJSON,
} from "openapi-typescript-helpers";
import type { paths } from "./schema.gen";

/** Paths as in specification section 7: relative to the consumer API; `/api/stripe/…`, `/api/build` and `/store-api/…` are absolute. */
type ApiPaths = {
  [P in keyof paths as P extends `/api/consumer${infer Relative}`
    ? Relative
    : P extends `/api/${string}` | `/store-api/${string}`
      ? P
      : never]: paths[P];
};

export type GetPath = PathsWithMethod<ApiPaths, "get">;
export type PostPath = PathsWithMethod<ApiPaths, "post">;

type Get<P extends GetPath> = ApiPaths[P] extends { get: infer Operation } ? Operation : never;
type Post<P extends PostPath> = ApiPaths[P] extends { post: infer Operation } ? Operation : never;

/** The `data` of a response envelope, or the whole body if it has none. */
type DataOf<Body> = Body extends { data?: infer Data } ? NonNullable<Data> : Body;
type Json<Operation> =
  Operation extends Record<string | number, unknown> ? SuccessResponseJSON<Operation> : never;

export type GetData<P extends GetPath> = DataOf<Json<Get<P>>>;
export type PostData<P extends PostPath> = DataOf<Json<Post<P>>>;

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? [NonNullable<Query>] extends [never]
    ? Record<string, never>
    : NonNullable<Query>
  : Record<string, never>;
export type GetQuery<P extends GetPath> = QueryOf<Get<P>>;

type BodyOf<Operation> = [OperationRequestBodyContent<Operation>] extends [never]
  ? undefined
  : OperationRequestBodyContent<Operation>;
export type PostBody<P extends PostPath> = BodyOf<Post<P>>;
