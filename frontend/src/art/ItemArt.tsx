import { type ReactNode, useMemo } from "react";
import { cropArt } from "./crop";
import { DrinkArt } from "./DrinkArt";
import { FoodArt } from "./FoodArt";
import type { Presentation } from "./recipes/art-for";
import type { ArtProps } from "./SvgText";
import { type ArtSelection, artForSelection } from "./selection";
import { parseItemArt } from "./spec";

export interface ItemArtProps extends ArtProps {
  /** The `art` of a menu item. Parsed again when the object changes. */
  art: unknown;
  /** The selected size and choices; the defaults of the item without it. */
  selection?: ArtSelection | undefined;
  /** Fill level and other presentation, for example for the progress of an order. */
  shown?: Presentation | undefined;
  animate?: boolean;
  /** Crops the drawing to the item: width over height of the crop. Replaces `box`. */
  crop?: number | undefined;
  /** Takes the place of food until its drawing is loaded. */
  fallback?: ReactNode;
}

/** Draws a menu item with its selection. */
export function ItemArt({ art, selection, shown, animate = false, crop, fallback, ...props }: ItemArtProps) {
  const spec = useMemo(() => parseItemArt(art), [art]);
  const item = artForSelection(spec, selection, shown);
  const shared = crop === undefined ? props : { ...props, box: cropArt(item, crop) };
  if (item.kind === "drink") return <DrinkArt params={item.params} animate={animate} {...shared} />;
  return <FoodArt params={item.params} fallback={fallback} {...shared} />;
}
