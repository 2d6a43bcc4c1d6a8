import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { GetData } from "@/api/contract";
import { createApp } from "@/router";
import type { Profile } from "@/shell/queries";
import { onTestEnd } from "./cleanups";
import { mockGet, mockGetError, server } from "./server";

export const maya: Profile = {
  id: "consumer-maya",
  email: "maya@example.com",
  firstName: "Maya",
  lastName: "Okafor",
  phone: "+12135550142",
  shareCode: "MAYA-7",
  emailVerified: true,
  photo: null,
  points: 480,
};

interface Options {
  /** The signed-in consumer; null by default. The server responds when a promise resolves. */
  session?: Profile | null | Promise<Profile>;
  activeOrders?: GetData<"/order/active-orders">["orders"];
}

/** Renders the app at a URL over the mock server. */
export async function renderRoute(url: string, { session = null, activeOrders = [] }: Options = {}) {
  server.use(
    session
      ? mockGet("/user/profile", session)
      : mockGetError("/user/profile", { status: 401, reason: "UNAUTHENTICATED" }),
    mockGet("/order/active-orders", { orders: activeOrders }),
  );
  const { queryClient, router } = createApp(createMemoryHistory({ initialEntries: [url] }));
  // What still loads after the test must neither update React nor send requests, which would have no handler.
  onTestEnd(() => {
    router.startTransition = async () => false;
    queryClient.fetchQuery = () => new Promise(() => undefined);
  });
  const user = userEvent.setup();
  const screen = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await router.load();
  return { ...screen, router, queryClient, user };
}
