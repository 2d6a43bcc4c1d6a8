import { type ReactNode, useMemo } from "react";
import { deferModule } from "@/lib/defer-module";
import { ArtPlaceholder } from "./ArtPlaceholder";
import { DrinkArt } from "./DrinkArt";
import type { FoodParams } from "./food-art";
import type { Presentation } from "./recipes/art-for";
import type { ArtProps } from "./SvgText";
import { type ArtSelection, artForSelection } from "./selection";
import { parseItemArt } from "./spec";

// food is drawn by other code than drinks, and most first screens show none of it
const food = deferModule(() => import("./FoodArt"));

export interface ItemArtProps extends ArtProps {
  /** The `art` of a menu item, as the server sent it. Read again when it is another object. */
  art: unknown;
  /** What was chosen; the item as it is on the menu without it. */
  selection?: ArtSelection | undefined;
  /** Progress of an order and the like. */
  shown?: Presentation | undefined;
  animate?: boolean;
}

/** The picture of a menu item with what was chosen for it: the one component that screens need. */
export function ItemArt({ art, selection, shown, animate = false, ...props }: ItemArtProps) {
  const spec = useMemo(() => parseItemArt(art), [art]);
  const item = artForSelection(spec, selection, shown);
  if (item.kind === "drink") return <DrinkArt params={item.params} animate={animate} {...props} />;
  return <Food params={item.params} {...props} />;
}

function Food(props: ArtProps & { params: FoodParams }): ReactNode {
  const drawn = food.use();
  return drawn ? <drawn.FoodArt {...props} /> : <ArtPlaceholder {...props} />;
}
