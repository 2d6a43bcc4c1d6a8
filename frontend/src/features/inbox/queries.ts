import { infiniteQueryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { inboxKeys } from "@/shell/queries";

export type Message = GetData<"/inbox/list">["messages"][number];

/** Specification section 9. */
const PAGE_SIZE = 5;

/** Messages, newest first. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: inboxKeys.messages,
  queryFn: ({ pageParam, signal }) => read("/inbox/list", { take: PAGE_SIZE, skip: pageParam }, { signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const loaded = pages.reduce((count, { messages }) => count + messages.length, 0);
    return loaded < last.total && last.messages.length > 0 ? loaded : undefined;
  },
});
