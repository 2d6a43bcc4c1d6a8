import { type ReactNode, useDeferredValue, useMemo } from "react";
import { deferModule } from "@/lib/defer-module";
import { ArtPlaceholder } from "./ArtPlaceholder";
import { cropArt } from "./crop";
import { DrinkArt } from "./DrinkArt";
import type { FoodParams } from "./food-art";
import type { Presentation } from "./recipes/art-for";
import type { ArtProps } from "./SvgText";
import { type ArtSelection, artForSelection } from "./selection";
import { parseItemArt } from "./spec";

// A separate chunk, because many first screens show no food.
const food = deferModule(() => import("./FoodArt"));

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
}

/** Draws a menu item with its selection. */
export function ItemArt({ art, selection, shown, animate = false, crop, ...props }: ItemArtProps) {
  const spec = useMemo(() => parseItemArt(art), [art]);
  const item = artForSelection(spec, selection, shown);
  const shared = crop === undefined ? props : { ...props, box: cropArt(item, crop) };
  if (item.kind === "drink") return <DrinkArt params={item.params} animate={animate} {...shared} />;
  return <Food params={item.params} {...shared} />;
}

function Food(props: ArtProps & { params: FoodParams }): ReactNode {
  // Deferred, so that drawings that waited for the code do not block taps.
  const module = useDeferredValue(food.use());
  return module ? <module.FoodArt {...props} /> : <ArtPlaceholder {...props} />;
}
