import type { Drawing } from "../drink";
import type { Glass } from "../liquid/glass";
import type { Palette } from "../sheet/palette";
import { nearArc } from "../sheet/shapes";
import { CX, ellipse, K, path, svg } from "../sheet/svg";

/** Light on a clear round wall: dark edges, a wide highlight on the left and a thin one on the right. */
export function glassLight(g: Palette, shape: string, r: number, strength = 1): string {
  const across = g.line(CX - r, 0, CX + r, 0, [
    [0, "#3A1F10", 0.26 * strength],
    [0.06, "#3A1F10", 0.08 * strength],
    [0.14, "#fff", 0.06],
    [0.2, "#fff", 0.34 * strength],
    [0.27, "#fff", 0.12],
    [0.34, "#fff", 0],
    [0.66, "#2A1208", 0],
    [0.88, "#2A1208", 0.16 * strength],
    [0.935, "#fff", 0.2 * strength],
    [0.96, "#2A1208", 0.12],
    [1, "#2A1208", 0.3 * strength],
  ]);
  return path(shape, `fill="${across}"`);
}

/** The lit near edge of a glass rim. */
export function rimLight(g: Palette, y: number, r: number): string {
  const paint = g.line(CX - r, 0, CX + r, 0, [
    [0, "#fff", 0.8],
    [0.25, "#fff", 1],
    [0.6, "#fff", 0.7],
    [1, "#fff", 0.8],
  ]);
  return path(nearArc(y, r - 1), `fill="none" stroke="${paint}" stroke-width="2"`);
}

/** The cut edges of a small glass. */
export function facets({ yT, yB, rB, getRadius }: Glass): string {
  const y = yT + (yB - yT) * 0.36;
  return [-0.62, -0.22, 0.22, 0.62]
    .map((across) =>
      path(
        svg`M${CX + across * getRadius(y)} ${y + getRadius(y) * K * 0.8}L${CX + across * rB} ${yB + rB * K * Math.sqrt(1 - across * across) - 2}`,
        'stroke="#fff" stroke-opacity=".34" stroke-width="1.2" stroke-linecap="round"',
      ),
    )
    .join("");
}

/** Drops on a wall with radius `getRadius` at a height, with shade and highlight. */
export function dropsBetween(
  { scatter }: Drawing,
  count: number,
  yTop: number,
  yBottom: number,
  getRadius: (y: number) => number,
): string {
  const random = scatter("droplets");
  let [bodies, shades, lights] = ["", "", ""];
  for (let i = 0; i < count; i++) {
    const y = yTop + random() * (yBottom - yTop);
    const x = CX + (random() * 2 - 1) * getRadius(y) * 0.9;
    const r = 0.9 + random() * random() * 2.6;
    bodies += ellipse(x, y, r, r * 1.18);
    shades += ellipse(x + r * 0.2, y + r * 0.34, r * 0.72, r * 0.66);
    lights += ellipse(x - r * 0.3, y - r * 0.4, r * 0.3, r * 0.34);
  }
  return `<g fill="#fff" fill-opacity=".34">${bodies}</g><g fill="#2A1208" fill-opacity=".1">${shades}</g><g fill="#fff" fill-opacity=".95">${lights}</g>`;
}

/** Condensation on an iced glass. */
export const droplets = (drawing: Drawing, { yT, yB, yLevel, getRadius }: Glass): string =>
  dropsBetween(drawing, 16, Math.max(yLevel - 6, yT + 26), yB, getRadius);
