import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isUnauthorized, NetworkError } from "@/api/errors";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The mutation handles all of its errors: no toast, no generic handler. */
      handlesErrors?: boolean;
    };
  }
}

interface ErrorHandlers {
  /** Handles the errors of mutations without `handlesErrors`. */
  onMutationError: (error: unknown) => void;
  /** Handles a 401 of a query. Screens show the other errors of queries. */
  onUnauthorizedQuery: (error: unknown) => void;
}

export function createQueryClient({ onMutationError, onUnauthorizedQuery }: ErrorHandlers): QueryClient {
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
        if (!mutation.meta?.handlesErrors) onMutationError(error);
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

/** Retries network errors and unavailable services twice. Other errors are final. */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2 || !navigator.onLine) return false;
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 502);
}
