import type { DrinkParams } from "../drink";
import type { Palette } from "../sheet/palette";
import { svg } from "../sheet/svg";

const W = 4.2;

/** Returns the top of the straw in a cup with its rim at `yRim`. Every crop of a drawing includes it. */
export const getStrawTop = (yRim: number, { whip }: Pick<DrinkParams, "whip">): number =>
  whip ? Math.max(10, yRim - 88) : Math.max(40, yRim - 50);

/** A paper straw from `yTop` down to `yEnd`, leaning to the right by `-lean` per unit of height. */
export function straw(g: Palette, x: number, yTop: number, yEnd: number, lean: number): string {
  const paint = g.line(x - W, 0, x + W, 0, [
    [0, "#B98A5A"],
    [0.3, "#EBCFA6"],
    [0.62, "#C89A68"],
    [1, "#93683D"],
  ]);
  const skew = (Math.atan(-lean) * 180) / Math.PI;
  const tube = svg`<path d="M${x - W} ${yTop}L${x - W} ${yEnd}A${W} 1.4 0 0 0 ${x + W} ${yEnd}L${x + W} ${yTop}Z" fill="${paint}"/>`;
  const mouth = svg`<ellipse cx="${x}" cy="${yTop}" rx="${W}" ry="1.5" fill="#8A6038"/><ellipse cx="${x}" cy="${yTop + 0.2}" rx="${W - 1.2}" ry=".8" fill="#5A3A1E"/>`;
  return svg`<g transform="skewX(${skew}) translate(${yTop * lean} 0)">${tube}${mouth}</g>`;
}
