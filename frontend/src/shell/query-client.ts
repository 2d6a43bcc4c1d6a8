import { MutationCache, onlineManager, QueryClient } from "@tanstack/react-query";
import { ApiError, NetworkError } from "@/api/errors";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The mutation reads its failures itself, all of them: no toast, no generic handler. */
      handlesErrors?: boolean;
    };
  }
}

/** The cache of what the server said. `onMutationError` takes what no mutation of its own handles. */
export function createQueryClient(onMutationError: (error: unknown) => void): QueryClient {
  // It takes a device for connected until it hears otherwise: a page that was opened offline would never hear.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.handlesErrors) onMutationError(error);
      },
    }),
    defaultOptions: {
      // Asked for even without a network: the service worker may know, and where it does not, the screen says so
      // instead of waiting in silence. Once the network is back, what is missing is asked for again.
      queries: {
        staleTime: 30_000,
        retry: isWorthRepeating,
        networkMode: "always",
        refetchOnReconnect: true,
      },
      // Never repeated by itself: what moves money is repeated by the person, with the same idempotency key.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** A refusal stays a refusal; a missing network or a service that is away may be back in a moment. */
function isWorthRepeating(failures: number, error: Error): boolean {
  if (failures >= 2 || !navigator.onLine) return false;
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 502);
}
