import { ifFits, object, oneOf, type Shaped, text } from "@/lib/shape";

const flag = ifFits(oneOf(true));

/** What a person looks for, kept in the address so that list and map agree and "back" finds it again. */
export const narrowing = object({
  q: ifFits(text),
  open: flag,
  curbside: flag,
  favorites: flag,
});

export type Narrowing = Shaped<typeof narrowing>;
