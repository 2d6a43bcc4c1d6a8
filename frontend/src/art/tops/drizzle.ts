import type { Drawing } from "../drink";
import type { Glass } from "../liquid/glass";
import { getAppearance, type Ingredient } from "../liquid/ingredients";
import { lighter } from "../sheet/color";
import { CX, K, path, svg } from "../sheet/svg";

/** Turning points of the drizzle, each from -1 to 1. */
type Swing = readonly (readonly [across: number, along: number])[];

const OVER_A_SURFACE: Swing = [
  [-0.62, -0.8],
  [0.7, -0.6],
  [-0.92, -0.28],
  [0.98, -0.04],
  [-0.98, 0.26],
  [0.86, 0.5],
  [-0.6, 0.78],
  [0.2, 0.92],
];

/** A line of sauce over a flat surface in perspective. */
export function drizzleOn(kind: Ingredient, cy: number, rx: number, ry: number): string {
  const { color } = getAppearance(kind);
  let data = "";
  let [lastU, lastV] = [0, 0];
  for (const [u, v] of OVER_A_SURFACE) {
    const curve = svg`Q${CX + ((u + lastU) / 2) * rx} ${cy + ((v + lastV) / 2) * ry + ry * 0.16} `;
    data += (data ? curve : "M") + svg`${CX + u * rx} ${cy + v * ry}`;
    [lastU, lastV] = [u, v];
  }
  const round = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';
  return (
    path(data, `${round} stroke="${color}" stroke-width="2.5"`) +
    path(
      data,
      `${round} stroke="${lighter(color, 0.5)}" stroke-opacity=".6" stroke-width=".8" transform="translate(-.4 -.5)"`,
    )
  );
}

/** Sauce running down the inner wall of a clear cup. */
export function wallDrizzle({ scatter }: Drawing, kind: Ingredient, glass: Glass): string {
  const { color } = getAppearance(kind);
  const { yLevel, yFloor, rIn } = glass;
  const random = scatter("drizzle");
  let out = "";
  for (let i = 0; i < 6; i++) {
    const across = -0.82 + (1.64 * i) / 5 + (random() - 0.5) * 0.12;
    const long = (yFloor - yLevel) * (0.34 + random() * 0.44);
    const w = 4 + random() * 4;
    const x0 = CX + across * rIn(yLevel);
    const x1 = CX + across * rIn(yLevel + long) * 0.98;
    const y0 = yLevel - 2 + Math.sqrt(1 - across * across) * rIn(yLevel) * K;
    const data = svg`M${x0 - w} ${y0}C${x0 - w * 0.3} ${y0 + long * 0.4} ${x1 - w * 0.6} ${y0 + long * 0.7} ${x1 - w * 0.5} ${y0 + long}A${w * 0.5} ${w * 0.5} 0 0 0 ${x1 + w * 0.5} ${y0 + long}C${x1 + w * 0.4} ${y0 + long * 0.6} ${x0 + w * 0.2} ${y0 + long * 0.4} ${x0 + w} ${y0}Z`;
    out += path(data, `fill="${color}" fill-opacity=".78"`);
  }
  return out;
}
