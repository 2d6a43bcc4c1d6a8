import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";

/** How many messages of the inbox were not seen yet. In the shell because several screens show the count. */
export const unseenQuery = queryOptions({
  queryKey: ["inbox", "unseen"],
  queryFn: async ({ signal }) => (await read("/inbox/list", { take: 1, skip: 0 }, { signal })).unseen,
  refetchInterval: 60_000,
});
