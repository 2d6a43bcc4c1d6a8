import { memo, useMemo } from "react";
import { type FoodParams, foodArt } from "./food-art";
import { type ArtProps, chooseDetail, SvgText, useDrawingId } from "./SvgText";

export const FoodArt = memo(function FoodArt({ params, ...props }: ArtProps & { params: FoodParams }) {
  const { title, width, box, className } = props;
  const id = useDrawingId();
  const food = JSON.stringify({
    detail: chooseDetail(width),
    ...params,
    ...(title ? { title } : {}),
    ...(box ? { box } : {}),
    id,
  });
  const text = useMemo(() => foodArt(JSON.parse(food) as FoodParams), [food]);
  return <SvgText text={text} width={width} className={className} />;
});
