import { memo, type ReactNode, useDeferredValue, useMemo } from "react";
import { deferModule } from "@/lib/defer-module";
import { ArtPlaceholder } from "./ArtPlaceholder";
import type { Food } from "./food/food";
import { FOOD_MODULES } from "./food/modules";
import { type FoodParams, foodArt } from "./food-art";
import { type ArtProps, chooseDetail, SvgText, useDrawingId } from "./SvgText";

const foods = new Map(
  Object.entries(FOOD_MODULES).map(([kind, load]) => [kind, deferModule<Food>(load)] as const),
);

type FoodArtProps = ArtProps & { params: FoodParams; fallback?: ReactNode };

/** Draws food when the code of its kind is loaded, and the fallback until then. */
export function FoodArt({ fallback, ...props }: FoodArtProps): ReactNode {
  // Deferred, so that drawings that waited for the code do not block taps.
  const food = useDeferredValue(foods.get(props.params.kind)?.use());
  return food ? <Drawing food={food} {...props} /> : (fallback ?? <ArtPlaceholder {...props} />);
}

const Drawing = memo(function Drawing({ food, params, ...props }: FoodArtProps & { food: Food }) {
  const { title, width, box, className } = props;
  const id = useDrawingId();
  const drawn = JSON.stringify({
    detail: chooseDetail(width),
    ...params,
    ...(title ? { title } : {}),
    ...(box ? { box } : {}),
    id,
  });
  const text = useMemo(() => foodArt(food, JSON.parse(drawn) as FoodParams), [food, drawn]);
  return <SvgText text={text} width={width} className={className} />;
});
