import { infiniteQueryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";
import { walletKeys } from "@/shell/queries";

export type PointEntry = GetData<"/user/rewards">["entries"][number];

const PAGE_SIZE = 20;

/** The points ledger, newest first. Each page has the current balance and the rewards. */
export const pointEntriesQuery = infiniteQueryOptions({
  queryKey: [...walletKeys.points, "entries"],
  queryFn: ({ pageParam, signal }) => read("/user/rewards", { take: PAGE_SIZE, skip: pageParam }, { signal }),
  initialPageParam: 0,
  getNextPageParam: ({ entries }, pages) =>
    entries.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE,
  staleTime: 5_000,
});
