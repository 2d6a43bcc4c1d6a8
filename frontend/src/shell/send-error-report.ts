/** Error reports, tagged by path area, without personal data. */
import { readAppConfig } from "./app-config";

/** Path areas of specification section 2. The first match is the tag. */
const AREAS = [
  "explore/map",
  "explore/filtered",
  "explore",
  "my-joe",
  "wallet",
  "add-credit-card",
  "add-payment",
  "link-bank-account",
  "menu",
  "cart",
  "checkout",
  "company",
  "account",
] as const;

/** Specification section 8, "Error reports are suppressed for": parts of messages, ignoring case. */
const SUPPRESSED_PARTS = ["401", "network error", "timeout exceeded"];
/** Whole messages of old browsers, the autofill of iOS and a mail scanner that opens pages; browsers add prefixes. */
const SUPPRESSED_MESSAGES = [
  "globalThis is not defined",
  "Can't find variable: _AutofillCallbackHandler",
  "Object Not Found Matching Id:3",
];
/** A request that failed with status 500. */
const SERVER_FAILURE = /^(Request failed with status code )?500\b/;

export function getArea(pathname: string): string {
  const area = AREAS.find((name) => pathname.includes(`/${name}`));
  return area?.split("/").at(-1) ?? "other";
}

export function isSuppressed(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  const lower = message.toLowerCase();
  return (
    SUPPRESSED_PARTS.some((part) => lower.includes(part)) ||
    SUPPRESSED_MESSAGES.some((known) => isMessage(message, known)) ||
    SERVER_FAILURE.test(message)
  );
}

/** Returns whether the message is the known one. It may have a prefix, and continue after a comma: "Id:3, MethodName:update". */
function isMessage(message: string, known: string): boolean {
  const start = message.indexOf(known);
  return start >= 0 && /^($|[,.\s])/.test(message.slice(start + known.length));
}

/**
 * Returns whether a transition between two screens was skipped, which is not an error: the next one started, or the phone was turned or
 * locked at that time.
 */
const isSkippedTransition = (error: unknown): boolean =>
  error instanceof DOMException &&
  ["AbortError", "InvalidStateError"].includes(error.name) &&
  error.message.includes("Transition");

/** Sends a report to the configured address, or logs it in development. */
export function sendErrorReport(error: unknown): void {
  if (isSuppressed(error) || isSkippedTransition(error)) return;
  const { errorReportsUrl } = readAppConfig();
  if (errorReportsUrl) {
    const text =
      error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
    navigator.sendBeacon(errorReportsUrl, JSON.stringify({ ...text, area: getArea(location.pathname) }));
  } else if (import.meta.env.DEV) {
    // biome-ignore lint/suspicious/noConsole: development has no report address
    console.error(error);
  }
}
