import { type NavigateOptions, useCanGoBack, useRouter } from "@tanstack/react-router";

/**
 * Returns a function that goes back to the previous screen, or to `up` if the consumer came from outside the app. With `from`, only
 * if this path is open: the consumer may have left it during a call.
 */
export function useGoBack(): (up: NavigateOptions, from?: string) => void {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (up, from) => {
    if (from && router.history.location.pathname !== from) return;
    if (canGoBack) router.history.back();
    else void router.navigate({ ...up, replace: true });
  };
}
