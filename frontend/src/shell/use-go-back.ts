import { type NavigateOptions, useCanGoBack, useRouter } from "@tanstack/react-router";

/** Returns a function that goes back to the previous screen, or to `up` if the consumer came from outside the app. */
export function useGoBack(): (up: NavigateOptions) => void {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (up) => {
    if (canGoBack) router.history.back();
    else void router.navigate({ ...up, replace: true });
  };
}
