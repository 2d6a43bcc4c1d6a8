import type { QueryClient } from "@tanstack/react-query";
import { createRouter, type RouterHistory } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";
import type { Tab } from "./shell/BottomNav";
import { handleMutationError } from "./shell/error-handlers";
import { createQueryClient } from "./shell/query-client";
import { NotFound, ScreenError } from "./shell/ScreenError";

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createApp>["router"];
  }
  interface StaticDataRouteOption {
    /** Shows the bottom navigation, with this place marked. Without it the navigation is disabled. */
    tab?: Tab;
  }
}

/** What every route's loader gets. */
export interface RouterContext {
  queryClient: QueryClient;
}

/** The router and the query cache, made together: a failed mutation may have to navigate. Tests make one each. */
export function createApp(history?: RouterHistory) {
  const queryClient: QueryClient = createQueryClient((error) => handleMutationError(error, router));
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    // Query decides what is fresh; the router asks it each time.
    defaultPreloadStaleTime: 0,
    // A screen's own skeletons come at once; the full-screen loader only when even its code is late.
    defaultPendingMs: 100,
    defaultPendingMinMs: 200,
    defaultErrorComponent: ScreenError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  });
  return { queryClient, router };
}
