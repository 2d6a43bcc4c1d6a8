import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { errorMessage, isExpected, isUnauthorized } from "@/api/errors";
import { device } from "@/state/device";
import { toast } from "@/ui/toast";
import { report } from "./error-reports";
import { modals } from "./modals";
import { sessionQuery } from "./queries";

type Navigator = Pick<AnyRouter, "navigate">;

const SIGN_IN = "/sign-in/getting-started";

/**
 * The generic handler of specification section 8, for unexpected errors: clears the idempotency keys, resets the cart on
 * this device (home offers the server's copy), closes all modals, reports the error, and navigates to sign-in for a 401,
 * otherwise to the error page.
 */
export function handleUnexpectedError(error: unknown, router: Navigator): void {
  reset(error);
  void router.navigate({ to: isUnauthorized(error) ? SIGN_IN : "/lp/error" });
}

/**
 * The generic handler for a query after the session has ended. Sign-in then returns to the screen. Several queries of a screen fail
 * at the same time: the first one is handled.
 */
export function handleUnauthorizedQuery(
  error: unknown,
  router: Pick<AnyRouter, "navigate" | "latestLocation">,
  queryClient: QueryClient,
): void {
  const { pathname, href } = router.latestLocation;
  // The store console has sessions of its own, and asks its staff to sign in.
  if (pathname.startsWith("/sign-in") || pathname.startsWith("/store-console")) return;
  // The consumer signed out or deleted the account while the query was in flight.
  if (queryClient.getQueryData(sessionQuery.queryKey) === null) return;
  reset(error);
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: SIGN_IN, search: { next: href } });
  toast("Your session ended. Please sign in again.");
}

function reset(error: unknown): void {
  device.idempotency.clear();
  device.cart.clear();
  modals.closeAll();
  report(error);
}

/** Handles an error of a mutation: a toast if the consumer can act on it, otherwise the generic handler. */
export function handleMutationError(error: unknown, router: Navigator): void {
  if (isExpected(error)) toast(errorMessage(error), "error");
  else handleUnexpectedError(error, router);
}
