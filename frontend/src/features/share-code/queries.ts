import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";

/** Who shares a code, and what an invitation is worth. */
export const shareCodeQuery = (shareCode: string) =>
  queryOptions({
    queryKey: ["share-code", shareCode],
    queryFn: ({ signal }) => read("/share-code", { shareCode }, { signal }),
    staleTime: 60 * 60_000,
  });
