import { queryOptions } from "@tanstack/react-query";
import { read } from "@/api/client";
import type { GetData } from "@/api/contract";

export type Order = GetData<"/order/status">;

/** Points and what they lead to. Under "wallet", so that what changes the wallet asks for them again. */
export const pointsQuery = queryOptions({
  queryKey: ["wallet", "points"],
  queryFn: ({ signal }) => read("/user/points", {}, { signal }),
});

/** The cart that the server keeps; under the key into which the cart's own copying writes. */
export const savedCartQuery = queryOptions({
  queryKey: ["user-cart"],
  queryFn: ({ signal }) => read("/user/cart", {}, { signal }),
  staleTime: 5 * 60_000,
});
