import type { Drawing } from "../drink";
import { darker, lighter } from "../sheet/color";
import { CX, ellipse, K, path, svg } from "../sheet/svg";
import type { Glass } from "./glass";
import type { PouredLayer } from "./layers";

const WAVES = 7;

/** Foam: a curved band with an uneven edge and a few bubbles. */
export function foamBand({ g, scatter, p }: Drawing, foam: PouredLayer, glass: Glass): string {
  const random = scatter("foam");
  const y0 = glass.yFull;
  const y1 = y0 + (glass.yFloor - y0) * foam.part;
  const r0 = glass.rIn(y0);
  const r1 = glass.rIn(y1);
  /** The front of the ring at a position across. */
  const front = (across: number) => y1 + Math.sqrt(Math.max(0, 1 - across * across)) * r1 * K;
  let hem = svg`L${CX + r1} ${y1}`;
  for (let i = 1; i <= WAVES; i++) {
    const across = 1 - (2 * i) / WAVES;
    const y = front(across) + (i < WAVES ? (random() - 0.4) * 6 : 0);
    hem += svg`S${CX + (across + 0.14) * r1} ${y} ${CX + across * r1} ${y}`;
  }
  const paint = g.line(0, y0, 0, y1 + r1 * K, [
    [0, lighter(foam.color, 0.35)],
    [0.7, foam.color],
    [1, darker(foam.color, 0.06)],
  ]);
  let out = path(svg`M${CX - r0} ${y0}A${r0} ${r0 * K} 0 0 0 ${CX + r0} ${y0}${hem}Z`, `fill="${paint}"`);
  for (let i = 0; i < (p.detail === "small" ? 0 : 12); i++) {
    const across = random() * 1.7 - 0.85;
    const y = front(across) - 3 - random() * 7;
    out += ellipse(
      CX + across * r1,
      y,
      0.6 + random() * 1.1,
      0.6 + random(),
      'fill="#fff" fill-opacity=".55" stroke="#8A6A45" stroke-opacity=".16" stroke-width=".5"',
    );
  }
  return out;
}
