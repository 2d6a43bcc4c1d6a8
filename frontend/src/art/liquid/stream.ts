import type { Drawing } from "../drink";
import { blend, lighter, luma, mix } from "../sheet/color";
import { CX, ellipse, path, svg } from "../sheet/svg";
import { findLayer } from "./layers";

/** The stream that is poured, down to the surface at `yLevel`, with a ring there. */
export function stream({ g, p, layers }: Drawing, yLevel: number, yFrom: number): string {
  const { color } = findLayer(layers, p.fill + 0.002);
  const x = CX + 4;
  // A thin stream of coffee is translucent.
  const lit = luma(color) < 0.3 ? blend(mix(color, "#C07A38", 0.5), color, 0.2) : color;
  const paint = g.line(0, yFrom, 0, yLevel, [
    [0, lit, 0],
    [0.14, lit],
    [0.7, lit],
    [1, color],
  ]);
  const thread = svg`M${x - 4.4} ${yFrom}C${x - 3.6} ${yFrom + 40} ${x - 2.2} ${yLevel - 40} ${x - 2.4} ${yLevel - 3}Q${x - 3} ${yLevel} ${x - 9} ${yLevel + 2}Q${x} ${yLevel + 5} ${x + 9} ${yLevel + 2}Q${x + 3} ${yLevel} ${x + 2.4} ${yLevel - 3}C${x + 2.2} ${yLevel - 40} ${x + 3.6} ${yFrom + 40} ${x + 4.4} ${yFrom}Z`;
  const shine = svg`M${x - 1.6} ${yFrom + 14}C${x - 1.2} ${yFrom + 50} ${x - 0.8} ${yLevel - 40} ${x - 0.8} ${yLevel - 8}`;
  return (
    path(thread, `fill="${paint}"`) +
    path(shine, 'fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="1" stroke-linecap="round"') +
    ellipse(
      x,
      yLevel + 2,
      16,
      4,
      `fill="none" stroke="${lighter(color, 0.35)}" stroke-opacity=".6" stroke-width="1"`,
    )
  );
}
