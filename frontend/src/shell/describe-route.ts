import type { AnyRouter } from "@tanstack/react-router";

interface RouteDescription {
  pathname: string;
  /** The pattern of the path: `/orders/$orderId`. */
  route: string;
  title: string;
}

/** Describes the open page, or returns null before the first one. Search parameters may contain signatures and are left out. */
export function describeRoute(router: AnyRouter): RouteDescription | null {
  const { matches, resolvedLocation } = router.state;
  const match = matches.at(-1);
  if (!resolvedLocation || !match) return null;
  return { pathname: resolvedLocation.pathname, route: match.fullPath, title: document.title };
}
