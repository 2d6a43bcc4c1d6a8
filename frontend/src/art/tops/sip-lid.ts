import type { Hex } from "../sheet/color";
import type { Palette } from "../sheet/palette";
import { nearArc } from "../sheet/shapes";
import { CX, ellipse, K, path, svg } from "../sheet/svg";

/** A step of the lid, from radius `r0` below to `r1` above. */
const step = (y: number, h: number, r0: number, r1: number, paint: string): string =>
  path(
    svg`M${CX - r1} ${y - h}L${CX - r0} ${y}A${r0} ${r0 * K} 0 0 0 ${CX + r0} ${y}L${CX + r1} ${y - h}A${r1} ${r1 * K} 0 0 1 ${CX - r1} ${y - h}Z`,
    `fill="${paint}"`,
  );

/** The dark lid of a paper cup. */
export function sipLid(g: Palette, yT: number, rT: number): string {
  const r = rT + 4;
  const rTop = r - 10;
  const round = (lit: Hex, body: Hex, shade: Hex) =>
    g.line(CX - r, 0, CX + r, 0, [
      [0, body],
      [0.14, lit],
      [0.32, lit],
      [0.66, body],
      [0.92, shade],
      [1, body],
    ]);
  const deck = g.line(CX - rTop, yT - 28, CX + rTop, yT - 4, [
    [0, "#6A4A3A"],
    [0.5, "#463025"],
    [1, "#332118"],
  ]);
  const well = g.line(CX - rTop, yT - 24, CX + rTop, yT - 6, [
    [0, "#2C1B13"],
    [1, "#4A3327"],
  ]);
  const rim = 'fill="none" stroke="#fff" stroke-width="1.2"';
  return [
    step(yT + 6, 10, r, r, round("#4A3226", "#36231A", "#23150E")),
    ellipse(CX, yT - 4, r, r * K, 'fill="#36231A"'),
    path(nearArc(yT - 4, r), `${rim} stroke-opacity=".22"`),
    step(yT - 3, 13, r - 6, rTop, round("#55392B", "#3D281D", "#281811")),
    ellipse(CX, yT - 16, rTop, rTop * K, `fill="${deck}"`),
    ellipse(CX, yT - 14.5, rTop - 7, (rTop - 7) * K * 0.92, `fill="${well}"`),
    ellipse(CX - 2, yT - 5.2, 8, 1.7, 'fill="#160C07"'),
    path(nearArc(yT - 16, rTop), `${rim} stroke-opacity=".26"`),
  ].join("");
}
