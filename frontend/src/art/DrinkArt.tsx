import { memo, useMemo } from "react";
import type { DrinkParams } from "./drink";
import { drinkArt } from "./drink-art";
import { type ArtProps, chooseDetail, SvgText, useDrawingId } from "./SvgText";
import { useAnimatedDrink } from "./use-animated-drink";

interface DrinkArtProps extends ArtProps {
  params: DrinkParams;
  /** Animates changes of the drink. Off by default, because lists should not move. */
  animate?: boolean;
}

/** Draws a drink. Redraws only when its parameters change. */
export const DrinkArt = memo(function DrinkArt({ params, animate = false, ...props }: DrinkArtProps) {
  const { title, width, box, className } = props;
  const id = useDrawingId();
  const animated = useAnimatedDrink(params, animate);
  const drink = JSON.stringify({
    detail: chooseDetail(width),
    ...animated,
    ...(title ? { title } : {}),
    ...(box ? { box } : {}),
    id,
  });
  const text = useMemo(() => drinkArt(JSON.parse(drink) as DrinkParams), [drink]);
  return <SvgText text={text} width={width} className={className} />;
});
