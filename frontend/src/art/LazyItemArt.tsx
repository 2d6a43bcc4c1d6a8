import type { ReactNode } from "react";
import { deferModule } from "@/lib/defer-module";
import { ArtPlaceholder } from "./ArtPlaceholder";
import type { ItemArtProps } from "./ItemArt";

/** The chunk of the drawings. Screens preload it before their data is there. */
export const drawings = deferModule(() => import("./ItemArt"));

/** An {@link ItemArt} for the first screen. Renders a placeholder until the code is loaded. */
export function LazyItemArt(props: ItemArtProps): ReactNode {
  const module = drawings.use();
  return module ? <module.ItemArt {...props} /> : <ArtPlaceholder {...props} />;
}
