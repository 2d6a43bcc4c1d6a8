import { infiniteQueryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Message = GetData<"/inbox/list">["messages"][number];

/** Specification section 9: the inbox comes five at a time. */
const TAKE = 5;

/** Messages, newest first, page by page. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: ["inbox", "list"],
  queryFn: ({ pageParam, signal }) => read("/inbox/list", { take: TAKE, skip: pageParam }, { signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const loaded = pages.reduce((count, { messages }) => count + messages.length, 0);
    return loaded < last.total && last.messages.length > 0 ? loaded : undefined;
  },
});
