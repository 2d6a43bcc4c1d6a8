import type { QueryClient } from "@tanstack/react-query";
import { createRouter, type RouterHistory } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";
import type { Tab } from "./shell/BottomNav";
import { handleEndedSession, handleMutationError, handleUnauthorizedQuery } from "./shell/error-handlers";
import { WithLoader } from "./shell/Loader";
import { createQueryClient } from "./shell/query-client";
import { NotFound, ScreenError } from "./shell/ScreenError";

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createApp>["router"];
  }
  interface StaticDataRouteOption {
    /** Shows the bottom navigation with this tab selected. Without it the navigation is hidden. */
    tab?: Tab;
  }
}

/** Context of the route loaders. */
export interface RouterContext {
  queryClient: QueryClient;
}

/** Creates the router and the query client together, because the handlers of errors navigate. */
export function createApp(history?: RouterHistory) {
  const queryClient: QueryClient = createQueryClient({
    onMutationError: (error) => handleMutationError(error, router, queryClient),
    onEndedSession: () => handleEndedSession(router, queryClient),
    onUnauthorizedQuery: (error) => handleUnauthorizedQuery(error, router, queryClient),
  });
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    // Disables the preload cache of the router: TanStack Query caches.
    defaultPreloadStaleTime: 0,
    // Shows the full-screen loader only if the code of the route takes longer than 100 ms.
    defaultPendingMs: 100,
    defaultPendingMinMs: 200,
    InnerWrap: WithLoader,
    defaultErrorComponent: ScreenError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // Screens fade into each other, but not the first one, and not when search parameters change while the consumer types.
    defaultViewTransition: {
      types: ({ fromLocation, pathChanged }) => (fromLocation && pathChanged ? ["screen"] : false),
    },
    ...(history ? { history } : {}),
  });
  return { queryClient, router };
}
