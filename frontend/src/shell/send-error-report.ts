/** Error reports, tagged by path area, without personal data. */

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

/** Specification section 8, "Error reports are suppressed for". */
const SUPPRESSED = [
  /401/,
  /network error/i,
  /timeout exceeded/i,
  /globalThis is not defined/,
  /autofill/i,
  /Object Not Found Matching Id:3/i,
  /^500\b/,
];

export function getArea(pathname: string): string {
  const area = AREAS.find((name) => pathname.includes(`/${name}`));
  return area?.split("/").at(-1) ?? "other";
}

export function isSuppressed(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return SUPPRESSED.some((pattern) => pattern.test(message));
}

/** Sends a report to the configured address, or logs it in development. */
export function sendErrorReport(error: unknown): void {
  if (isSuppressed(error)) return;
  const address: string | undefined = import.meta.env.VITE_ERROR_REPORTS_URL;
  if (address) {
    const text =
      error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
    navigator.sendBeacon(address, JSON.stringify({ ...text, area: getArea(location.pathname) }));
  } else if (import.meta.env.DEV) {
    // biome-ignore lint/suspicious/noConsole: development has no report address
    console.error(error);
  }
}
