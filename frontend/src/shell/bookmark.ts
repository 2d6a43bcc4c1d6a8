import { device } from "@/state/device";

/** Stores the bookmark of `?bookmark=` with its url and name (specification section 2). */
export function saveBookmark(search: string): void {
  const text = new URLSearchParams(search).get("bookmark");
  if (!text) return;
  const [url = "", name = ""] = parseBookmark(text);
  // Only paths of this app: a link from another site must not decide where a tap leads. Browsers read a backslash as a slash,
  // and ignore tabs and line breaks.
  if (/^\/(?![/\\\s])/.test(url)) device.bookmark.set({ url, name });
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
