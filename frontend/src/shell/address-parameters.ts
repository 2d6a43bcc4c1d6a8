import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { device } from "@/state/device";
import { saveBookmark } from "./bookmark";
import { enterSession } from "./hand-over";

/**
 * Handles the query parameters that any page may have (specification section 2), at the start and after each route change:
 * `bookmark` and `overrideDay` are stored, and `session` is exchanged and removed from the URL. `search` is that of the address
 * that was opened.
 */
export function followAddressParameters(
  router: AnyRouter,
  queryClient: QueryClient,
  search: string,
): () => void {
  const handle = (text: string) => {
    saveBookmark(text);
    const parameters = new URLSearchParams(text);
    saveMockDay(parameters.get("overrideDay"));
    const code = parameters.get("session");
    if (!code) return;
    removeSession(router);
    void enterSession(queryClient, code);
  };
  handle(search);
  return router.subscribe("onResolved", ({ fromLocation, toLocation }) => {
    if (fromLocation) handle(toLocation.searchStr);
  });
}

/** Testers choose a day with `?overrideDay=2026-11-25` on any page, and return to today with `?overrideDay=`. */
function saveMockDay(day: string | null): void {
  if (day) device.mockData.set({ day });
  else if (day === "") device.mockData.clear();
}

function removeSession({ history }: AnyRouter): void {
  const { pathname, search, hash, state } = history.location;
  const parameters = new URLSearchParams(search);
  if (!parameters.has("session")) return;
  parameters.delete("session");
  const query = parameters.size > 0 ? `?${parameters}` : "";
  history.replace(`${pathname}${query}${hash}`, state);
}
