import { lazy, Suspense, useMemo } from "react";
import { DrinkArt } from "./DrinkArt";
import type { Presentation } from "./recipes/art-for";
import type { ArtProps } from "./SvgText";
import { type ArtSelection, artForSelection } from "./selection";
import { parseItemArt } from "./spec";

// food is drawn by other code than drinks, and most first screens show none of it
const FoodArt = lazy(() => import("./FoodArt").then((module) => ({ default: module.FoodArt })));

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
  const { width, className } = props;
  return (
    <Suspense fallback={<span className={className} style={{ display: "block", ...(width && { width }) }} />}>
      <FoodArt params={item.params} {...props} />
    </Suspense>
  );
}
