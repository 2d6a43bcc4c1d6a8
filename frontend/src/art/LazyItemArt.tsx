import type { ReactNode } from "react";
import { later } from "@/lib/later";
import type { ItemArtProps } from "./ItemArt";

/** The code of the drawings. A screen that will draw something loads it before it knows what. */
export const drawings = later(() => import("./ItemArt"));

/** An {@link ItemArt} for the first screen: its code comes after the words, and its place is kept until then. */
export function LazyItemArt(props: ItemArtProps): ReactNode {
  const drawn = drawings.use();
  if (drawn) return <drawn.ItemArt {...props} />;
  const { width, className } = props;
  return <span className={className} style={{ display: "block", ...(width && { width }) }} />;
}
