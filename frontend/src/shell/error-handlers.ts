import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { errorMessage, isExpected, isUnauthorized } from "@/api/errors";
import { device } from "@/state/device";
import { toast } from "@/ui/toast";
import { report } from "./error-reports";
import { modals } from "./modals";
import { sessionQuery } from "./queries";

type AppRouter = Pick<AnyRouter, "navigate" | "latestLocation">;

/**
 * The generic handler of specification section 8, for unexpected errors: clears the idempotency keys, resets the cart on
 * this device (home offers the server's copy), closes all modals, reports the error, and navigates to sign-in for a 401,
 * otherwise to the error page.
 */
export function handleUnexpectedError(error: unknown, router: AppRouter, queryClient: QueryClient): void {
  reset(error);
  if (isUnauthorized(error)) askToSignIn(router, queryClient);
  else void router.navigate({ to: "/lp/error" });
}

/** The generic handler for a query after the session has ended. Several queries of a screen fail at the same time: the first one is handled. */
export function handleUnauthorizedQuery(error: unknown, router: AppRouter, queryClient: QueryClient): void {
  const { pathname } = router.latestLocation;
  // The store console has sessions of its own, and its own sign-in for the staff.
  if (pathname.startsWith("/sign-in") || pathname.startsWith("/store-console")) return;
  // The consumer signed out or deleted the account while the query was in flight.
  if (!isSignedIn(queryClient)) return;
  reset(error);
  askToSignIn(router, queryClient);
  toast("Your session ended. Please sign in again.");
}

/**
 * Handles a 401 of a mutation that handles its other errors: the consumer signs in again and repeats it. The cart stays, and so do
 * the idempotency keys, because a previous attempt may have moved money. A late 401 does not open sign-in a second time.
 */
export function handleEndedSession(router: AppRouter, queryClient: QueryClient): void {
  const { pathname } = router.latestLocation;
  if (pathname.startsWith("/store-console")) return;
  if (pathname.startsWith("/sign-in") && !isSignedIn(queryClient)) return;
  modals.closeAll();
  askToSignIn(router, queryClient, isSignedIn(queryClient) ? "session-ended" : undefined);
}

/** Opens sign-in, which returns to the screen. Without the session of the device, which would let it skip the code. */
function askToSignIn(router: AppRouter, queryClient: QueryClient, reason?: "session-ended"): void {
  const { pathname, href, search } = router.latestLocation;
  const next = pathname.startsWith("/sign-in") ? search.next : href;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: "/sign-in/getting-started", search: { next, reason } });
}

const isSignedIn = (queryClient: QueryClient): boolean =>
  queryClient.getQueryData(sessionQuery.queryKey) !== null;

function reset(error: unknown): void {
  device.idempotency.clear();
  device.cart.clear();
  modals.closeAll();
  report(error);
}

/** Handles an error of a mutation: a toast if the consumer can act on it, otherwise the generic handler. */
export function handleMutationError(error: unknown, router: AppRouter, queryClient: QueryClient): void {
  if (isExpected(error)) toast(errorMessage(error), "error");
  else handleUnexpectedError(error, router, queryClient);
}
