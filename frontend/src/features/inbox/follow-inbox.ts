import type { QueryClient } from "@tanstack/react-query";
import { followConsumer } from "@/lib/consumer-stream";
import { inboxKeys, rewardKeys, sessionKeys, sessionQuery, unseenCountQuery } from "@/shell/queries";

/**
 * Keeps the badge of the inbox current while a consumer is signed in and the page is visible. Without a connection the badge is
 * polled. Returns a function that ends it.
 */
export function followInbox(queryClient: QueryClient): () => void {
  if (typeof EventSource === "undefined") return () => undefined;
  let stop: (() => void) | undefined;
  const update = () => {
    const isSignedIn = Boolean(queryClient.getQueryData(sessionQuery.queryKey));
    const isFollowed = isSignedIn && document.visibilityState === "visible";
    if (isFollowed === Boolean(stop)) return;
    stop?.();
    stop = isFollowed ? follow(queryClient) : undefined;
  };
  update();
  document.addEventListener("visibilitychange", update);
  const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === sessionQuery.queryKey[0]) update();
  });
  return () => {
    document.removeEventListener("visibilitychange", update);
    unsubscribe();
    stop?.();
  };
}

function follow(queryClient: QueryClient): () => void {
  return followConsumer({
    onEvent: {
      inbox: (data) => {
        const { unseen } = data as { unseen?: unknown };
        if (typeof unseen !== "number") return;
        queryClient.setQueryData(unseenCountQuery.queryKey, unseen);
        // A message about points or an order that ended arrives after the change. The profile contains the points.
        for (const queryKey of [inboxKeys.messages, sessionKeys.profile, ...rewardKeys]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
    },
  });
}
