import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type LandingPage = GetData<"/landing-page/">;

const STALE_MS = 5 * 60_000;

export const landingPageQuery = (urlSlug: string) =>
  queryOptions({
    queryKey: ["landing-page", urlSlug],
    queryFn: ({ signal }) => read("/landing-page/", { urlSlug }, { signal }),
    staleTime: STALE_MS,
  });

/** The page that a share code leads to, and who shares it. */
export const inactiveUsersQuery = (shareCode: string) =>
  queryOptions({
    queryKey: ["landing-page", "inactive-users", shareCode],
    queryFn: ({ signal }) => read("/landing-page/inactive-users/", { shareCode }, { signal }),
    staleTime: STALE_MS,
  });
