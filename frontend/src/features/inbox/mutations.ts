import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { inboxQuery, type Message } from "./queries";

/** Marks messages as seen; all of them where none is named. */
export function useMarkInboxAsSeen() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (messageIds: string[]) => write("/inbox/mark-as-seen", { messageIds }),
    onMutate: (messageIds) =>
      edit(queryClient, (message) =>
        messageIds.length === 0 || messageIds.includes(message.messageId)
          ? { ...message, seen: true }
          : message,
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["inbox"] }),
    // A message that stays marked as new is no reason to disturb anybody.
    meta: { handlesErrors: true },
  });
}

/** Takes a message out of the inbox, at once; it comes back if the server would not. */
export function useRemoveFromInbox() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (messageId: string) => write("/inbox/remove", { messageIds: [messageId] }),
    onMutate: (messageId) =>
      edit(queryClient, (message) => (message.messageId === messageId ? undefined : message)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["inbox"] }),
  });
}

async function edit(
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
