import { memo, useMemo } from "react";
import type { DrinkParams } from "./drink";
import { drinkArt } from "./drink-art";
import { type ArtProps, detailAt, SvgText, useDrawingId } from "./SvgText";
import { usePoured } from "./use-poured";

interface DrinkArtProps extends ArtProps {
  params: DrinkParams;
  /** Moves to a changed drink at the pace of a pour. Off by default: in a list nothing should move. */
  animate?: boolean;
}

/** A drink, drawn from its parameters. Drawn again only when they say something else. */
export const DrinkArt = memo(function DrinkArt({ params, animate = false, ...props }: DrinkArtProps) {
  const { title, width, box, className } = props;
  const id = useDrawingId();
  const poured = usePoured(params, animate);
  const drink = JSON.stringify({
    detail: detailAt(width),
    ...poured,
    ...(title ? { title } : {}),
    ...(box ? { box } : {}),
    id,
  });
  const text = useMemo(() => drinkArt(JSON.parse(drink) as DrinkParams), [drink]);
  return <SvgText text={text} width={width} className={className} />;
});
