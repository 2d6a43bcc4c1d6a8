import { type InferOutput, literal, object, string } from "valibot";
import { searchParam } from "@/lib/search";

const flag = searchParam(literal(true));

/** Search term and filters. They are search parameters, so that list and map share them. */
export const storeFilters = object({
  q: searchParam(string()),
  open: flag,
  curbside: flag,
  favorites: flag,
});

export type StoreFilters = InferOutput<typeof storeFilters>;
