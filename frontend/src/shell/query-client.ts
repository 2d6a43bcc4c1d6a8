import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isUnauthorized, NetworkError } from "@/api/errors";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The mutation handles its errors, except for a 401: no toast, no generic handler. */
      handlesErrors?: boolean;
      /** The mutation handles a 401 as well, for example because its calls have no session of a consumer. */
      handlesUnauthorized?: boolean;
    };
  }
}

interface ErrorHandlers {
  /** Handles the errors of mutations without `handlesErrors`. */
  onMutationError: (error: unknown) => void;
  /** Handles a 401 of mutations that handle only their other errors. */
  onEndedSession: () => void;
  /** Handles a 401 of a query. Screens show the other errors of queries. */
  onUnauthorizedQuery: (error: unknown) => void;
}

export function createQueryClient(handlers: ErrorHandlers): QueryClient {
  const { onMutationError, onEndedSession, onUnauthorizedQuery } = handlers;
  // The manager assumes that the device is online. A page that was opened offline gets no event.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isUnauthorized(error)) onUnauthorizedQuery(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        const { handlesErrors, handlesUnauthorized } = mutation.meta ?? {};
        if (!handlesErrors) onMutationError(error);
        else if (isUnauthorized(error) && !handlesUnauthorized) onEndedSession();
      },
    }),
    defaultOptions: {
      // Queries run while offline, too: the service worker may respond, and otherwise the screen shows the error at once.
      // Failed queries are refetched when the network is back.
      queries: {
        staleTime: 30_000,
        retry: shouldRetry,
        networkMode: "always",
        refetchOnReconnect: true,
      },
      // Never retried automatically: the consumer repeats a payment, with the same idempotency key.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** Retries network errors and unavailable services twice, but no timeouts: the consumer has waited, and the screen offers to try again. */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2 || !navigator.onLine) return false;
  return (
    (error instanceof NetworkError && error.kind !== "timeout exceeded") ||
    (error instanceof ApiError && error.status >= 502)
  );
}
