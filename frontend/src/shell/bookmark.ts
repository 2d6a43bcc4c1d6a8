import { device } from "@/state/device";

/** `?bookmark=` on any page stores a bookmark (specification section 2); `url` and `name` are taken from it. */
export function saveBookmark(search: string): void {
  const text = new URLSearchParams(search).get("bookmark");
  if (!text) return;
  const [url = "", name = ""] = fieldsOf(text);
  // Only our own pages: a link from elsewhere must not decide where a tap goes.
  if (url.startsWith("/") && !url.startsWith("//")) device.bookmark.set({ url, name });
}

/** The bookmark is JSON with url and name, or a bare url. */
function fieldsOf(text: string): [url: string, name: string] {
  try {
    const { url, name } = JSON.parse(text);
    return [String(url ?? ""), String(name ?? "")];
  } catch {
    return [text, ""];
  }
}
