import { device } from "@/state/device";

/** Stores the bookmark of `?bookmark=` with its url and name (specification section 2). */
export function saveBookmark(search: string): void {
  const text = new URLSearchParams(search).get("bookmark");
  if (!text) return;
  const [address = "", name = ""] = parseBookmark(text);
  const url = toPath(address);
  if (url) device.bookmark.set({ url, name });
}

/** Parses JSON with url and name, or a plain url. */
function parseBookmark(text: string): [url: string, name: string] {
  try {
    const { url, name } = JSON.parse(text);
    return [String(url ?? ""), String(name ?? "")];
  } catch {
    return [text, ""];
  }
}

/**
 * Returns the path of an address of this app, or undefined: a link from another site must not decide where a tap leads. `URL` reads it
 * as the browser does, which takes a backslash for a slash, and ignores tabs and line breaks.
 */
function toPath(address: string): string | undefined {
  if (!/^(\/|https?:\/\/)/i.test(address)) return undefined;
  try {
    const { origin, pathname, search, hash } = new URL(address, location.origin);
    // The path of "/.//evil.example" is the address of another site.
    return origin === location.origin && !pathname.startsWith("//") ? pathname + search + hash : undefined;
  } catch {
    return undefined;
  }
}
