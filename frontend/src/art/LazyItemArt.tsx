import type { ReactNode } from "react";
import { later } from "@/lib/later";
import { ArtPlace } from "./ArtPlace";
import type { ItemArtProps } from "./ItemArt";

/** The code of the drawings. A screen that will draw something loads it before it knows what. */
export const drawings = later(() => import("./ItemArt"));

/** An {@link ItemArt} for the first screen: its code comes after the words, and its place is kept until then. */
export function LazyItemArt(props: ItemArtProps): ReactNode {
  const drawn = drawings.use();
  return drawn ? <drawn.ItemArt {...props} /> : <ArtPlace {...props} />;
}
