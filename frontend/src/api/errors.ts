/** Errors of API calls, their classification and their messages. The only code that reads failures. */

/** The API responded with an error. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    /** Reason code, for example `STORE_CLOSED`; may be empty. */
    readonly reason: string,
    /** Sentences for the consumer. */
    readonly errors: readonly string[],
    /** Details, for example the new quote with `PRICE_CHANGED`. */
    readonly data: unknown,
  ) {
    super(`${status} ${reason || errors.join(", ")}`.trim());
  }
}

/** No response was received: no network, or a timeout. The call may have taken effect. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";

  constructor(readonly kind: "network error" | "timeout exceeded") {
    super(kind);
  }
}

/** Error messages of browsers and the build for chunks or styles that could not be loaded. */
const MISSING_CODE =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|Load failed for the module/i;

/** Returns whether a chunk of the app could not be loaded: no network, or replaced by a release. */
export function isMissingCode(error: unknown): error is Error {
  return error instanceof Error && MISSING_CODE.test(error.message);
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/**
 * Returns whether the consumer can act on the error (closed, sold out, try later, offline). The generic handler takes other
 * errors.
 */
export function isExpected(error: unknown): boolean {
  if (error instanceof NetworkError || isMissingCode(error)) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status !== 401 && (error.status < 500 || error.status === 503);
}

/** Returns whether an id cannot be one of the system, for example because a link was cut off. */
export const isMalformedId = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === "ID_MALFORMED";

/** Returns whether a resource does not exist: its id is unknown or malformed. */
export const isMissing = (error: unknown): error is ApiError =>
  isMalformedId(error) || (error instanceof ApiError && error.status === 404);

/** Returns whether the same request may succeed later, so that the screen offers to try again. */
export function isRetriable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

const OFFLINE = "You're offline. Try again once you're connected.";

/** Returns a sentence for the consumer, without status codes or ids. */
export function errorMessage(error: unknown): string {
  if (error instanceof NetworkError) {
    return error.kind === "timeout exceeded" ? "That took too long. Please try again." : OFFLINE;
  }
  if (isMissingCode(error)) {
    return navigator.onLine ? "This page didn't load. Please try again." : OFFLINE;
  }
  if (error instanceof ApiError) {
    if (error.errors.length > 0) return error.errors.join(", ");
    if (error.status === 401) return "Please sign in first.";
    if (error.status === 404) return "We couldn't find that.";
    if (error.status === 429) return "Too many tries. Please wait a moment.";
    if (error.status === 503) return "This isn't available right now. Please try again shortly.";
  }
  return "Something went wrong on our side. Please try again.";
}
