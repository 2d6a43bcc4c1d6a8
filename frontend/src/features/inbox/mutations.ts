import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { inboxKeys } from "@/shell/queries";
import { inboxQuery, type Message } from "./queries";

/** Marks messages as seen; without ids, all of them. */
export function useMarkInboxAsSeen() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (messageIds: string[]) => write("/inbox/mark-as-seen", { messageIds }),
    onMutate: (messageIds) =>
      updateMessages(queryClient, (message) =>
        messageIds.length === 0 || messageIds.includes(message.messageId)
          ? { ...message, seen: true }
          : message,
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: inboxKeys.all }),
    // Errors are ignored: the message stays new. The call runs after the consumer left the screen, so a 401 opens no sign-in either.
    meta: { handlesErrors: true, handlesUnauthorized: true },
  });
}

/** Removes a message from the list at once. It reappears if the call fails. */
export function useRemoveFromInbox() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (messageId: string) => write("/inbox/remove", { messageIds: [messageId] }),
    onMutate: (messageId) =>
      updateMessages(queryClient, (message) => (message.messageId === messageId ? undefined : message)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: inboxKeys.all }),
  });
}

async function updateMessages(
  queryClient: QueryClient,
  change: (message: Message) => Message | undefined,
): Promise<void> {
  const { queryKey } = inboxQuery;
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (data) =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            messages: page.messages.flatMap((message) => change(message) ?? []),
          })),
        },
  );
}
