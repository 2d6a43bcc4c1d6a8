import type { ReactNode } from "react";
import { deferModule } from "@/lib/defer-module";
import { ArtPlaceholder } from "./ArtPlaceholder";
import type { ItemArtProps } from "./ItemArt";

/** The code of the drawings. A screen that will draw something loads it before it knows what. */
export const drawings = deferModule(() => import("./ItemArt"));

/** An {@link ItemArt} for the first screen: its code comes after the words, and its place is kept until then. */
export function LazyItemArt(props: ItemArtProps): ReactNode {
  const drawn = drawings.use();
  return drawn ? <drawn.ItemArt {...props} /> : <ArtPlaceholder {...props} />;
}
