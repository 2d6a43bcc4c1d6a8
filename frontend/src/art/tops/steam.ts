import type { Palette } from "../sheet/palette";
import { CX, path, svg } from "../sheet/svg";

/** Three wisps rising from `y`. The theme sets their opacity (`--art-steam`). */
export function steam(g: Palette, y: number): string {
  const fade = g.line(0, y - 62, 0, y, [
    [0, "#fff", 0],
    [0.4, "#fff", 0.9],
    [1, "#fff", 0],
  ]);
  const wisp = (x: number, side: 1 | -1) =>
    path(
      svg`M${x} ${y}C${x - 12 * side} ${y - 16} ${x + 12 * side} ${y - 26} ${x} ${y - 40}S${x + 8 * side} ${y - 54} ${x + 3 * side} ${y - 62}`,
      `fill="none" stroke="${fade}" stroke-width="5" stroke-linecap="round"`,
    );
  return `<g class="art-steam" style="opacity:var(--art-steam,.85)">${wisp(CX - 16, 1)}${wisp(CX + 8, -1)}${wisp(CX + 26, 1)}</g>`;
}
