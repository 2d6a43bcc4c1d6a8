import type { AnyRouter } from "@tanstack/react-router";
import { errorMessage, isExpected, isUnauthorized } from "@/api/errors";
import { device } from "@/state/device";
import { toast } from "@/ui/toast";
import { report } from "./error-reports";
import { modals } from "./modals";

type Navigator = Pick<AnyRouter, "navigate">;

/**
 * The generic handler of specification section 8, for unexpected errors: clears the idempotency keys, resets the cart on
 * this device (home offers the server's copy), closes all modals, reports the error, and navigates to sign-in for a 401,
 * otherwise to the error page.
 */
export function handleUnexpectedError(error: unknown, router: Navigator): void {
  device.idempotency.clear();
  device.cart.clear();
  modals.closeAll();
  report(error);
  void router.navigate({ to: isUnauthorized(error) ? "/sign-in/getting-started" : "/lp/error" });
}

/** Handles an error of a mutation: a toast if the consumer can act on it, otherwise the generic handler. */
export function handleMutationError(error: unknown, router: Navigator): void {
  if (isExpected(error)) toast(errorMessage(error), "error");
  else handleUnexpectedError(error, router);
}
