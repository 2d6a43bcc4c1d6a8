import { type InferOutput, literal, object, string } from "valibot";
import { searchParam } from "@/lib/search";

const flag = searchParam(literal(true));

/** What a person looks for, kept in the address so that list and map agree and "back" finds it again. */
export const narrowing = object({
  q: searchParam(string()),
  open: flag,
  curbside: flag,
  favorites: flag,
});

export type Narrowing = InferOutput<typeof narrowing>;
