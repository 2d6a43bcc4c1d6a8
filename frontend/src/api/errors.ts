/** The one reader of failures: what went wrong with a call, and what to tell the person about it. */

/** The API answered, and the answer is a refusal or a fault. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    /** For code, e.g. `STORE_CLOSED`; empty where the API gave none. */
    readonly reason: string,
    /** Sentences that a person may read. */
    readonly errors: readonly string[],
    /** What the API sent along, e.g. the new quote with `PRICE_CHANGED`. */
    readonly data: unknown,
  ) {
    super(`${status} ${reason || errors.join(", ")}`.trim());
  }
}

/** No answer came: no network, or it took too long. Whether the call had an effect is unknown. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";

  constructor(readonly kind: "network error" | "timeout exceeded") {
    super(kind);
  }
}

/** How browsers and the build say that a part of the app's own code, or its styles, could not be fetched. */
const MISSING_CODE =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|Load failed for the module/i;

/** Whether a part of the app itself did not come: no network, or a release has replaced it. */
export function isMissingCode(error: unknown): error is Error {
  return error instanceof Error && MISSING_CODE.test(error.message);
}

/** Whether the API said that nobody is signed in. */
export function isUnauthorised(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/**
 * Whether the failure is an answer the person can act on (closed, sold out, try later, offline) rather than a fault of
 * ours, which the generic handler takes.
 */
export function isExpected(error: unknown): boolean {
  if (error instanceof NetworkError || isMissingCode(error)) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status !== 401 && (error.status < 500 || error.status === 503);
}

/** Whether the same request may well succeed a little later, so that trying again is worth a button. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

const OFFLINE = "You seem to be offline. Please try again when you are connected.";

/** One sentence for the person. Never a status, an id or a word from the code. */
export function sentence(error: unknown): string {
  if (error instanceof NetworkError) {
    return error.kind === "timeout exceeded" ? "That took too long. Please try again." : OFFLINE;
  }
  if (isMissingCode(error)) {
    return navigator.onLine ? "This part of the app did not load. Please try again." : OFFLINE;
  }
  if (error instanceof ApiError) {
    if (error.errors.length > 0) return error.errors.join(", ");
    if (error.status === 401) return "Please sign in first.";
    if (error.status === 404) return "We could not find that.";
    if (error.status === 429) return "That was a lot at once. Please wait a moment.";
    if (error.status === 503) return "This part is away for a moment. Please try again shortly.";
  }
  return "Something went wrong on our side. Please try again.";
}
