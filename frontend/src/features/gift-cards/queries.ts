import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Deal = GetData<"/gift-card/deals">["deals"][number];

/** Deals that the consumer can use: of a company, or for cards that all stores accept. */
export const dealsQuery = (companyId?: string) =>
  queryOptions({
    queryKey: ["gift-cards", "deals", companyId],
    queryFn: async ({ signal }) =>
      (await read("/gift-card/deals", companyId === undefined ? {} : { companyId }, { signal })).deals,
  });
