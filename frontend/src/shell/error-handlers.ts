import type { AnyRouter } from "@tanstack/react-router";
import { errorMessage, isExpected, isUnauthorized } from "@/api/errors";
import { device } from "@/state/device";
import { toast } from "@/ui/toast";
import { report } from "./error-reports";
import { modals } from "./modals";

type Navigates = Pick<AnyRouter, "navigate">;

/**
 * The generic handler of specification section 8, for what nobody expected: clears the idempotency keys, resets the
 * cart (on this device: the server's copy can be offered back), closes all modals, reports, and goes to sign-in for
 * a 401, to the error page otherwise.
 */
export function handleUnexpectedError(error: unknown, router: Navigates): void {
  device.idempotency.clear();
  device.cart.clear();
  modals.closeAll();
  report(error);
  void router.navigate({ to: isUnauthorized(error) ? "/sign-in/getting-started" : "/lp/error" });
}

/** What a mutation that says nothing of its own does with a failure: a toast where the person can act on it. */
export function handleMutationError(error: unknown, router: Navigates): void {
  if (isExpected(error)) toast(errorMessage(error), "error");
  else handleUnexpectedError(error, router);
}
