import { sendToShell } from "./bridge";

/** Schemes that the shell opens, with the web pages of other origins. */
const SCHEMES = ["tel:", "sms:", "mailto:"];

/**
 * Opens links to other sites, phone numbers and maps through the shell, because a web view would leave the app. A link to a map has
 * `data-map-destination`. Returns a function that ends it.
 */
export function openLinksInShell(): () => void {
  document.addEventListener("click", openExternal, { capture: true });
  return () => document.removeEventListener("click", openExternal, { capture: true });
}

function openExternal(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
  if (!link || !isExternal(link)) return;
  event.preventDefault();
  const { mapDestination } = link.dataset;
  if (mapDestination === undefined) sendToShell("external-link", { url: link.href });
  else sendToShell("external-map-link", { url: link.href, destination: mapDestination });
}

function isExternal({ protocol, origin }: HTMLAnchorElement): boolean {
  return SCHEMES.includes(protocol) || (/^https?:$/.test(protocol) && origin !== location.origin);
}
