import type { Palette } from "./palette";
import { BASE, CX, ellipse, K, svg } from "./svg";

/** A point on the sheet. */
export type Point = readonly [x: number, y: number];

/** A tapered round vessel: `T` is its top, `B` its bottom, `k` the flattening of each. */
export interface Tub {
  yT: number;
  rT: number;
  yB: number;
  rB: number;
  kT?: number;
  kB?: number;
}

/** The closed outline of a tub. `front` excludes the opening. */
export function tub({ yT, rT, yB, rB, kT = K, kB = K + 0.02 }: Tub, part: "all" | "front" = "all") {
  const sweep = part === "front" ? 1 : 0;
  return svg`M${CX - rT} ${yT}L${CX - rB} ${yB}A${rB} ${rB * kB} 0 0 0 ${CX + rB} ${yB}L${CX + rT} ${yT}A${rT} ${rT * kT} 0 0 ${sweep} ${CX - rT} ${yT}Z`;
}

/** The near half of a ring: the lit edge of a rim, a seam, a meniscus. */
export const nearArc = (y: number, r: number, k = K): string =>
  svg`M${CX - r} ${y}A${r} ${r * k} 0 0 0 ${CX + r} ${y}`;

/** The shadow of an object: a dark core at the contact and a soft shadow to the right. */
export function contactShadow(g: Palette, r: number, y: number, strength = 1): string {
  const wide = g.shadow(CX + 12, y + 3, r * 1.55, 0.2, [
    [0, 0.34 * strength],
    [0.45, 0.16 * strength],
    [1, 0],
  ]);
  const core = g.shadow(CX + 3, y + 1, r * 1.1, 0.2, [
    [0, 0.55 * strength],
    [0.7, 0.36 * strength],
    [1, 0],
  ]);
  return (
    ellipse(CX + 12, y + 3, r * 1.55, r * 0.31, `fill="${wide}"`) +
    ellipse(CX + 3, y + 1, r * 1.1, r * 0.22, `fill="${core}"`)
  );
}

/** The contact shadow of food, which lies flat on the counter. */
export const foodShadow = (g: Palette, r: number, lift = 6, strength = 0.95): string =>
  contactShadow(g, r, BASE - lift, strength);

/** One piece of a Catmull-Rom spline, written as a cubic Bézier. */
function bend(before: Point, from: Point, to: Point, after: Point): string {
  return svg`C${from[0] + (to[0] - before[0]) / 6} ${from[1] + (to[1] - before[1]) / 6} ${to[0] - (after[0] - from[0]) / 6} ${to[1] - (after[1] - from[1]) / 6} ${to[0]} ${to[1]}`;
}

/** A closed smooth curve through points. */
export function smooth(points: readonly Point[]): string {
  const at = (i: number): Point => points[(i + points.length) % points.length] ?? [0, 0];
  const start = at(0);
  const bends = points.map((_, i) => bend(at(i - 1), at(i), at(i + 1), at(i + 2)));
  return svg`M${start[0]} ${start[1]}${bends.join("")}Z`;
}

/** The same curve left open, to be joined with straight corners. */
export function thread(points: readonly Point[]): string {
  const at = (i: number): Point => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0];
  const start = at(0);
  const bends = points.slice(1).map((_, i) => bend(at(i - 1), at(i), at(i + 1), at(i + 2)));
  return svg`M${start[0]} ${start[1]}${bends.join("")}`;
}

/** A closed outline with straight edges. */
export const polygon = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => svg`${x} ${y}`).join("L")}Z`;

/** The logo: two cups from above that form the letters o and a. */
export function mark(x: number, y: number, r: number, color: string, opacity = 1): string {
  const apart = r * 0.94;
  return svg`<g fill="none" stroke="${color}" stroke-opacity="${String(opacity)}" stroke-width="${r * 0.36}" stroke-linecap="round"><circle cx="${x - apart}" cy="${y}" r="${r}"/><circle cx="${x + apart}" cy="${y}" r="${r}"/><path d="M${x + apart + r} ${y - r}V${y + r}"/></g>`;
}
