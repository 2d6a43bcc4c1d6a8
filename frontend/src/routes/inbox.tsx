import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { errorMessage } from "@/api/errors";
import { MessageRow } from "@/features/inbox/MessageRow";
import { useMarkInboxAsSeen, useRemoveFromInbox } from "@/features/inbox/mutations";
import { inboxQuery } from "@/features/inbox/queries";
import { Header } from "@/shell/Header";
import { Page } from "@/shell/Page";
import { requireSession } from "@/shell/session";
import { Button } from "@/ui/Button";
import { buttonVariants } from "@/ui/button-variants";
import { Empty } from "@/ui/Empty";
import { Loading, SkeletonRows } from "@/ui/Skeleton";
import { PauseAutoReload } from "./-pause-auto-reload";
import { PayNow } from "./-pay-now";

export const Route = createFileRoute("/inbox")({
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(inboxQuery);
  },
  component: Inbox,
  pendingComponent: InboxSkeleton,
});

/** What the consumer can do about a message of a kind, besides removing it. */
const ACTIONS: Readonly<Record<string, ReactNode>> = {
  auto_reloaded: <PauseAutoReload />,
  auto_reload_failed: (
    <Link to="/wallet/auto-reload" className={buttonVariants("link")}>
      Auto-reload settings
    </Link>
  ),
  debt_created: <PayNow />,
  purchase_returned: (
    <Link to="/my-joe" className={buttonVariants("link")}>
      See your balance
    </Link>
  ),
};

function Inbox(): ReactNode {
  const inbox = useSuspenseInfiniteQuery(inboxQuery);
  const remove = useRemoveFromInbox();
  const messages = inbox.data.pages.flatMap((page) => page.messages);
  useMarkSeenOnUnmount(messages.filter(({ seen }) => !seen).map(({ messageId }) => messageId));
  if (messages.length === 0 && !inbox.hasNextPage) return <NoMessages />;
  return (
    <Page header={<Header title="Inbox" />}>
      <div className="px-gutter pt-2">
        <UnseenLine count={inbox.data.pages[0]?.unseen ?? 0} />
        <ul aria-label="Messages" className="divide-y divide-line">
          {messages.map((message) => (
            <MessageRow
              key={message.messageId}
              message={message}
              action={ACTIONS[message.kind]}
              onRemove={() => remove.mutate(message.messageId)}
            />
          ))}
        </ul>
        {inbox.hasNextPage && (
          <div className="grid justify-items-center gap-3 pt-4 text-center">
            {inbox.isFetchNextPageError && (
              <p role="alert" className="t-small text-danger">
                {errorMessage(inbox.error)}
              </p>
            )}
            <Button variant="soft" busy={inbox.isFetchingNextPage} onClick={() => inbox.fetchNextPage()}>
              Show older messages
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

/** The count of unseen messages on all pages, and a button that marks them as seen. */
function UnseenLine({ count }: { count: number }): ReactNode {
  const markAsSeen = useMarkInboxAsSeen();
  if (count === 0) return null;
  return (
    <div className="flex min-h-target flex-wrap items-center justify-between gap-x-4">
      <p className="num text-ink-2">{count === 1 ? "1 new message" : `${count} new messages`}</p>
      <Button variant="link" busy={markAsSeen.isPending} onClick={() => markAsSeen.mutate([])}>
        Mark all as seen
      </Button>
    </div>
  );
}

/** Marks displayed messages as seen when the consumer leaves the screen, so that the "New" tags stay until then. */
function useMarkSeenOnUnmount(unseen: string[]): void {
  const { mutate } = useMarkInboxAsSeen();
  const displayed = useRef<readonly string[]>([]);
  useEffect(() => {
    displayed.current = unseen;
  });
  useEffect(
    () => () => {
      if (displayed.current.length > 0) mutate([...displayed.current]);
    },
    [mutate],
  );
}

function NoMessages(): ReactNode {
  return (
    <Page header={<Header title="Inbox" />}>
      <Empty
        title="No messages yet"
        action={
          <Link to="/" className={buttonVariants("solid")}>
            Go to home
          </Link>
        }
      >
        <p>We'll let you know when an order is ready, you earn points, or you get a refund.</p>
      </Empty>
    </Page>
  );
}

function InboxSkeleton(): ReactNode {
  return (
    <Page header={<Header title="Inbox" />}>
      <Loading label="Loading your messages">
        <div className="px-gutter pt-2">
          <SkeletonRows count={5} />
        </div>
      </Loading>
    </Page>
  );
}
